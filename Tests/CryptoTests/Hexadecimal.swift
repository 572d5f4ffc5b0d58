/// The bytes behind pairs of hexadecimal digits; anything else traps, since only tests write them.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    precondition(digits.count == hexadecimal.count && digits.count.isMultiple(of: 2), "pairs of hexadecimal digits")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
