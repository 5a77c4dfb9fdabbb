//! Messages as Protocol Buffers write them: numbered fields, one after the other.

/// How a field is written.
const VARINT: u64 = 0;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// A message that is being written.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// A whole number that is not negative.
    pub(super) fn number(mut self, field: u64, value: u64) -> Self {
        self.key(field, VARINT);
        self.varint(value);
        self
    }

    /// A number with a fraction.
    pub(super) fn float(mut self, field: u64, value: f32) -> Self {
        self.key(field, FOUR_BYTES);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A text.
    pub(super) fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Another message.
    pub(super) fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.key(field, LENGTH);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn key(&mut self, field: u64, kind: u64) {
        self.varint(field << 3 | kind);
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// The message as a file holds it.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}
