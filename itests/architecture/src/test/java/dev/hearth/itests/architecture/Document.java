package dev.hearth.itests.architecture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A page of docs/, and the words on it. */
final class Document {
    private Document() {}

    static String read(String name) {
        Path page = Repository.ROOT.resolve(name);
        if (!Files.isRegularFile(page)) {
            throw new AssertionError(name + ": no such page (expected: one); write it");
        }
        return Repository.text(page);
    }

    /** Whether the page has {@code word} as a whole word: {@code a:b-c} does not contain {@code a:b}. */
    static boolean mentions(String page, String word) {
        return Pattern.compile("(?<![\\w.-])" + Pattern.quote(word) + "(?![\\w-])")
                .matcher(page)
                .find();
    }
}
