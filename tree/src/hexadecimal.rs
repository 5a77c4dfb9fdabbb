/// Bytes in hexadecimal, as digests are written.
///
/// ```
/// assert_eq!(lucena_tree::hexadecimal(&[0, 10, 255]), "000aff");
/// ```
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
