extension JSONWriter {
  /// Writes a member that is a string.
  public mutating func member(_ key: String, _ value: String) {
    self.key(key)
    self.value(value)
  }

  /// Writes a member that is an integer.
  public mutating func member(_ key: String, _ value: some FixedWidthInteger) {
    self.key(key)
    self.value(value)
  }

  /// Writes a member that is a truth value.
  public mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    self.value(value)
  }

  /// Writes a member that is any value.
  public mutating func member(_ key: String, _ value: JSONValue) {
    self.key(key)
    self.value(value)
  }

  /// Writes a member that is a string, or nothing if there is none.
  public mutating func member(_ key: String, ifPresent value: String?) {
    if let value { member(key, value) }
  }

  /// Writes a member that is an integer, or nothing if there is none.
  public mutating func member(_ key: String, ifPresent value: (some FixedWidthInteger)?) {
    if let value { member(key, value) }
  }

  /// Writes a member that is an object.
  ///
  /// - Parameters:
  ///   - key: The member's key.
  ///   - body: Writes the members of the object.
  /// - Throws: What the body throws; the document is then unfinished.
  public mutating func object<E: Error>(
    _ key: String, _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    self.key(key)
    try object(body)
  }

  /// Writes a member that is an array.
  ///
  /// - Parameters:
  ///   - key: The member's key.
  ///   - body: Writes the elements of the array.
  /// - Throws: What the body throws; the document is then unfinished.
  public mutating func array<E: Error>(
    _ key: String, _ body: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    self.key(key)
    try array(body)
  }
}
