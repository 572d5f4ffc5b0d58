import Configuration
import Notifier
import Testing

struct SettingsDocumentTests {
    @Test func `the document of settings says what the tables say`() throws {
        let text = try SettingsDocument.text()
        if LiveSourceTree.writesDocuments { try LiveSourceTree.write(text, to: SettingsDocument.path) }
        #expect(try LiveSourceTree.text(at: SettingsDocument.path) == text, "make docs writes it anew")
    }

    @Test func `every key of the notifier says what it is for`() throws {
        let meanings = SettingsDocument.meanings(in: try LiveSourceTree.text(at: SettingsDocument.source))
        for key in NotifierConfiguration.keyDescriptions {
            #expect(meanings[key.name]?.isEmpty == false, "\(key.name)")
        }
    }
}
