/// The skin tones by their numbers on the Fitzpatrick scale, as Slack's shortcodes name them.
enum SkinTone: Int, CaseIterable {
  case light = 2
  case mediumLight, medium, mediumDark, dark

  /// The scalar that gives the emoji before it this tone.
  var modifier: Unicode.Scalar {
    switch self {
    case .light: "\u{1f3fb}"
    case .mediumLight: "\u{1f3fc}"
    case .medium: "\u{1f3fd}"
    case .mediumDark: "\u{1f3fe}"
    case .dark: "\u{1f3ff}"
    }
  }

  /// An emoji in this tone, or `nil` if it has none.
  ///
  /// The modifier follows every part that takes one, in place of a variation selector, so that both
  /// people of a pair get it; but not the hands that join two people, which show no skin of their
  /// own. Families, sequences with a child, have no tones.
  static func apply(_ tone: SkinTone, to emoji: String) -> String? {
    let scalars = emoji.unicodeScalars
    let isJoined = scalars.contains("\u{200d}")
    if isJoined && scalars.contains(where: isChild) { return nil }
    var result = String.UnicodeScalarView()
    var (isToned, follows) = (false, false)
    for scalar in scalars {
      if follows && scalar == "\u{fe0f}" { continue }
      result.append(scalar)
      follows = takesTone(scalar) && !(isJoined && scalar == "\u{1f91d}")
      if follows {
        result.append(tone.modifier)
        isToned = true
      }
    }
    return isToned ? String(result) : nil
  }

  private static func isChild(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{1f466}" || scalar == "\u{1f467}" || scalar == "\u{1f9d2}"
  }

  /// Whether a scalar is an Emoji_Modifier_Base of Unicode 15.
  static func takesTone(_ scalar: Unicode.Scalar) -> Bool {
    bases.contains { $0.contains(scalar.value) }
  }

  // A copy, not the runtime's property: what is imported must not change with the toolchain.
  private static let bases: [ClosedRange<UInt32>] = [
    0x261d...0x261d, 0x26f9...0x26f9, 0x270a...0x270d, 0x1f385...0x1f385, 0x1f3c2...0x1f3c4,
    0x1f3c7...0x1f3c7, 0x1f3ca...0x1f3cc, 0x1f442...0x1f443, 0x1f446...0x1f450, 0x1f466...0x1f478,
    0x1f47c...0x1f47c, 0x1f481...0x1f483, 0x1f485...0x1f487, 0x1f48f...0x1f48f, 0x1f491...0x1f491,
    0x1f4aa...0x1f4aa, 0x1f574...0x1f575, 0x1f57a...0x1f57a, 0x1f590...0x1f590, 0x1f595...0x1f596,
    0x1f645...0x1f647, 0x1f64b...0x1f64f, 0x1f6a3...0x1f6a3, 0x1f6b4...0x1f6b6, 0x1f6c0...0x1f6c0,
    0x1f6cc...0x1f6cc, 0x1f90c...0x1f90c, 0x1f90f...0x1f90f, 0x1f918...0x1f91f, 0x1f926...0x1f926,
    0x1f930...0x1f939, 0x1f93c...0x1f93e, 0x1f977...0x1f977, 0x1f9b5...0x1f9b6, 0x1f9b8...0x1f9b9,
    0x1f9bb...0x1f9bb, 0x1f9cd...0x1f9cf, 0x1f9d1...0x1f9dd, 0x1fac3...0x1fac5, 0x1faf0...0x1faf8,
  ]
}
