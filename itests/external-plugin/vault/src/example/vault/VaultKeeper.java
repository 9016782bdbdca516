package example.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.application.ApplicationEnd;
import dev.hearth.spi.application.CredentialSink;
import dev.hearth.spi.net.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Receives the tokens of this process, and forgets the visitors of applications that end. Notes their number in the file
 * of {@code -Dexample.vault.book}, if given.
 */
public final class VaultKeeper implements CredentialSink, ApplicationEnd {
    @Override
    public void accept(String kind, Bytes content) {
        Vault.change(new String(content.toArray(), UTF_8));
    }

    @Override
    public void ended(ClassLoader application) {
        int visitors = Vault.leave(application);
        String book = System.getProperty("example.vault.book");
        if (book != null) {
            String line = "process " + ProcessHandle.current().pid() + ": " + visitors + " visitors left\n";
            try {
                Files.writeString(Path.of(book), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
