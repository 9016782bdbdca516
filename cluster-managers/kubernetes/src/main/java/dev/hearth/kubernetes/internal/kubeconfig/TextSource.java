package dev.hearth.kubernetes.internal.kubeconfig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Text of a configuration, or the file that contains it. Immutable; its text form leaves out the text. */
public record TextSource(String text, Optional<Path> file) {
    /** Maximum size of a file with a token, a key or certificates. */
    static final int BYTES_MAX = 4 * 1024 * 1024;

    /** Source without a text. */
    public static final TextSource NONE = of("");

    public static TextSource of(String text) {
        return new TextSource(text, Optional.empty());
    }

    public static TextSource of(Path file) {
        return new TextSource("", Optional.of(file));
    }

    public boolean isPresent() {
        return file.isPresent() || !text.isEmpty();
    }

    /** Returns the text; reads the file, through links. Fails with the name of the file and the rule. */
    public String read() throws IOException {
        if (file.isEmpty()) {
            return text;
        }
        Path from = file.get();
        try {
            if (Files.size(from) > BYTES_MAX) {
                throw new IOException("more than " + BYTES_MAX + " bytes");
            }
            return Files.readString(from);
        } catch (IOException unreadable) {
            throw new IOException(
                    "file " + from + ": cannot be read, " + unreadable + " (expected: a file that this user may read)",
                    unreadable);
        }
    }

    @Override
    public String toString() {
        return file.map(Path::toString).orElse(text.isEmpty() ? "none" : "a text");
    }
}
