//! Typed indices.

use lucena_base::index_vec::{Id, IndexVec, id};
id! {
    /// A house.
    House(u16)
}

#[test]
fn ids_are_numbers_and_no_larger() {
    assert_eq!(size_of::<Option<House>>(), size_of::<u16>());
    for number in [0, 1, 7, 65_534] {
        assert_eq!(House::new(number).number(), number);
    }
    assert!(House::new(3) < House::new(4));
    let mut rooms: IndexVec<House, u32> = [4, 6].into_iter().collect();
    assert_eq!(rooms.push(8), House::new(2));
    rooms[House::new(0)] += 1;
    let pairs: Vec<(usize, u32)> = rooms.pairs().map(|(id, &n)| (id.number(), n)).collect();
    assert_eq!(pairs, [(0, 5), (1, 6), (2, 8)]);
}
