package dev.hearth.yarn.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.settings.StagingSettings;
import dev.hearth.yarn.internal.store.StoredContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Installations that an administrator puts on a cluster. */
class SharedStoreTest {
    private final SimulatedYarn yarn = new SimulatedYarn();
    private final List<String> warnings = new ArrayList<>();
    private final SharedStore store =
            new SharedStore(yarn, StagingSettings.read(new SettingsReader(Settings.empty())), new Installation() {
                @Override
                public Path home() {
                    throw new AssertionError("nothing of the installation is needed but its archive");
                }

                @Override
                public ContentId archive(Set<String> roles, Path target) {
                    throw new AssertionError("the compressed archive is enough");
                }

                @Override
                public PackedFile compressed(Set<String> roles, Path otherwise) {
                    assertEquals(Set.of("driver", "executor", "am"), roles);
                    try {
                        Files.writeString(otherwise, "archive");
                    } catch (IOException failure) {
                        throw new IllegalStateException(failure);
                    }
                    MessageDigest digest = ContentId.digest();
                    digest.update("archive".getBytes(StandardCharsets.UTF_8));
                    return new PackedFile(ContentId.of(digest), otherwise);
                }
            });

    @Test
    void putsTheInstallationThereOnceForAllUsers() throws IOException {
        StoredContent first = store.prepare("/hearth/store", "default", warnings::add);
        assertEquals(7, first.uploaded());
        assertTrue(first.path().matches("/hearth/store/\\p{XDigit}{2}/\\p{XDigit}{64}-platform.tar.gz"), first.path());
        assertEquals(2, yarn.disk.replication(first.path()), "one for each node");
        assertEquals(0644, yarn.disk.look(first.path()).orElseThrow().permissions());
        StoredContent second = store.prepare("/hearth/store", "default", warnings::add);
        assertEquals(0, second.uploaded());
        assertEquals(first.address(), second.address());
        assertEquals(List.of(), warnings);
    }

    @Test
    void refusesADirectoryThatNotAllCanEnter() {
        yarn.disk.directory("/private", 0700);
        for (String directory : List.of("/private", "/private/store")) {
            HearthException refused = assertThrows(
                    HearthException.class, () -> store.prepare(directory, "default", warnings::add), directory);
            assertEquals("BAD_ARGUMENT", refused.code());
        }
    }
}
