//! A writer of Protocol Buffers messages: numbered fields, one after the other.

/// Wire types.
const VARINT: u64 = 0;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// A message being written.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// Adds a non-negative integer.
    pub(super) fn number(mut self, field: u64, value: u64) -> Self {
        self.key(field, VARINT);
        self.varint(value);
        self
    }

    /// Adds a 32-bit float.
    pub(super) fn float(mut self, field: u64, value: f32) -> Self {
        self.key(field, FOUR_BYTES);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds a string.
    pub(super) fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Adds a nested message.
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

    /// Seven bits a byte, lowest first; the eighth bit is set if more bytes follow.
    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// The bytes of the message.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}
