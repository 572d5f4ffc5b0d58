import FoundationEssentials

/// Keys printed in RFCs, which are secrets of nobody.
enum PublishedKeys {
    /// RFC 7515 appendix A.3.1.
    static let jws = (
        x: "7fcdce2770f6c45d4183cbee6fdb4b7b580733357be9ef13bacf6e3c7bd15445",
        y: "c7f144cd1bbd9b7e872cdfedb9eeb9f4b3695d6ea90b24ad8a4623288588e5ad",
        d: "8e9b109e719098bf980487df1f5d77e9cb29606ebed2263b5f57c213df84f4b2"
    )
    /// RFC 6979 appendix A.2.5.
    static let deterministic = (
        x: "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
        y: "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    )

    /// The coordinates as a `SubjectPublicKeyInfo` on P-256 (RFC 5480 §2).
    static func publicPEM(x: String, y: String) -> String {
        pem("PUBLIC KEY", bytes("3059301306072a8648ce3d020106082a8648ce3d03010703420004" + x + y))
    }

    /// The numbers as PKCS#8 (RFC 5208 §5 around RFC 5915 §3).
    static func privatePEM(x: String, y: String, d: String) -> String {
        let head = "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420"
        return pem("PRIVATE KEY", bytes(head + d + "a14403420004" + x + y))
    }

    /// Public keys on P-384 and on Ed25519, whose private halves were never kept.
    static let otherKinds = [
        """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE4ZAfBJpB5W8O2d4ZLupguDg/IUSHOqge
        xCamIc5loHtITR0uyBpECot4gCkJ2UNeVEaAzsgc3JMFE3dQH13ZB9tv1+2/B5EO
        +i1Z0hjCW5bZOpak+/m3YbqgN6Ef6w6G
        -----END PUBLIC KEY-----
        """,
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAzQt6T/3yXpJJVcqg/TiNf+2NMyOkOjzV86BZuqzIMb8=
        -----END PUBLIC KEY-----
        """,
    ]

    private static func pem(_ label: String, _ der: [UInt8]) -> String {
        let text = Data(der).base64EncodedString()
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }
}
