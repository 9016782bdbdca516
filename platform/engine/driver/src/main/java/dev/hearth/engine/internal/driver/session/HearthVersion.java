package dev.hearth.engine.internal.driver.session;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The version of Hearth that the build has recorded. */
final class HearthVersion {
    private static final String FILE = "version.txt";
    static final String VERSION = read();

    private HearthVersion() {}

    private static String read() {
        try (InputStream in = Objects.requireNonNull(HearthVersion.class.getResourceAsStream(FILE), FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
