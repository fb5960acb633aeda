internal import ReactionModel

/// The names that Slack gives reactions.
public enum SlackShortcode {
  /// The reaction that a name stands for.
  ///
  /// - A name in the table of shortcodes is its emoji, and with `::skin-tone-2` to `-6` the emoji
  ///   in that skin tone: every person of a pair gets it.
  /// - Any other name is a custom reaction under its own name, `:name:`, and so is a known one with
  ///   a skin tone that no emoji has (a heart, a family), as `:name::skin-tone-2:`.
  ///
  /// Complexity: O(*n*) in the name's bytes; the first call reads the table.
  ///
  /// - Parameter name: The name without colons around it.
  /// - Returns: The reaction's text; `nil` if the name can be no reaction: it is empty, has more
  ///   than 100 scalars, white space, a control, a colon elsewhere than before a skin tone, or is
  ///   that of a skin tone alone.
  public static func reaction(for name: String) -> String? {
    guard let parts = Parts(name) else { return nil }
    let known = emoji(named: parts.base)
    let text: String
    if let tone = parts.tone {
      text =
        known.flatMap { SkinTone.apply(tone, to: $0) }
        ?? ":\(parts.base)::skin-tone-\(tone.rawValue):"
    } else {
      text = known ?? ":\(parts.base):"
    }
    do throws(InvalidReaction) {
      return try Reaction(text).form == .text ? nil : text
    } catch {
      return nil
    }
  }

  /// The emoji of a shortcode without skin tone, as the table writes it, if it is in the table.
  static func emoji(named name: String) -> String? {
    // Only ASCII is looked up: Swift compares strings by canonical equivalence, under which other
    // bytes could be equal to a shortcode.
    name.utf8.allSatisfy { $0 < 0x80 } ? emojiByName[name] : nil
  }

  /// The table, read when it is first needed.
  static let emojiByName: [String: String] = {
    var table: [String: String] = [:]
    table.reserveCapacity(ShortcodeTable.count)
    for entry in ShortcodeTable.text.description.split(whereSeparator: \.isWhitespace) {
      let halves = entry.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { continue }
      var emoji = String.UnicodeScalarView()
      for digits in halves[1].split(separator: "-") {
        guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
          continue
        }
        emoji.append(scalar)
      }
      table[String(halves[0])] = String(emoji)
    }
    return table
  }()

  /// A name taken apart.
  private struct Parts {
    let base: String
    let tone: SkinTone?

    /// `nil` if there is a colon elsewhere than before a skin tone.
    init?(_ name: String) {
      guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
        (base, tone) = (name, nil)
        return
      }
      let suffix = name.utf8[colon...]
      guard suffix.starts(with: "::skin-tone-".utf8), suffix.count == 13,
        let digit = suffix.last, let tone = SkinTone(rawValue: Int(digit) - 0x30)
      else { return nil }
      base = String(Substring(name.utf8[..<colon]))
      self.tone = tone
    }
  }
}
