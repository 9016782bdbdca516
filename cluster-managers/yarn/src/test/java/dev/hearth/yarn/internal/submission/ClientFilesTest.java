package dev.hearth.yarn.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.kernel.PackedFile;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.line.ContainerFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of executors and relays whose driver is on this machine. */
class ClientFilesTest {
    @TempDir
    private Path scratch;

    private final SimulatedYarn yarn = new SimulatedYarn();

    @Test
    void relaysGetTheDeployedBundlesOfWhichTheyConsist() throws IOException {
        ClientFiles.Staged staged = stage(deployed(
                "hearth-hadoop-client 9.0.0",
                "hearth-yarn 10.0.0",
                "site-plugin 1.0.0",
                "hearth-hadoop-client 10.0.0"));
        assertEquals(
                List.of("sent/hearth-hadoop-client-10.0.0.jar", "sent/hearth-yarn-10.0.0.jar"), sent(staged.relay()));
        assertEquals(List.of(), sent(staged.executors()));
        assertTrue(links(staged.relay()).containsAll(links(staged.executors())));
        assertFalse(links(staged.executors()).isEmpty());
    }

    @Test
    void relaysOfAnInstallationGetTheFilesOfExecutors() throws IOException {
        ClientFiles.Staged staged = stage(BundleSet.NONE);
        assertEquals(staged.executors(), staged.relay());
    }

    private ClientFiles.Staged stage(BundleSet deployed) throws IOException {
        List<String> warnings = new ArrayList<>();
        ClientFiles files = new ClientFiles(
                yarn, new PackedInstallation(), Settings.empty(), Map.of(), Ticker.system(), warnings::add);
        ClientFiles.Staged staged = files.stage(SimulatedYarn.id(1), 2, deployed);
        assertEquals(List.of(), warnings);
        return staged;
    }

    private static List<String> links(StagedFiles files) {
        return files.files().stream().map(ContainerFile::link).sorted().toList();
    }

    private static List<String> sent(StagedFiles files) {
        return links(files).stream()
                .filter(link -> link.startsWith(StagedFiles.SENT + "/"))
                .toList();
    }

    private BundleSet deployed(String... bundlesAndVersions) throws IOException {
        Map<ContentId, Path> jars = new LinkedHashMap<>();
        List<FrozenBundle> bundles = new ArrayList<>();
        for (String each : bundlesAndVersions) {
            Path jar = Files.writeString(scratch.resolve(each + ".jar"), each);
            ContentId content = hash(each);
            jars.put(content, jar);
            String[] words = each.split(" ", -1);
            bundles.add(new FrozenBundle(words[0], words[1], content, Files.size(jar)));
        }
        return new BundleSet() {
            @Override
            public List<FrozenBundle> bundles() {
                return bundles;
            }

            @Override
            public Optional<Path> jar(ContentId content) {
                return Optional.ofNullable(jars.get(content));
            }

            @Override
            public void close() {
                // the files go with the test's directory
            }
        };
    }

    private static ContentId hash(String text) {
        MessageDigest digest = ContentId.digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return ContentId.of(digest);
    }

    /** An installation of one small file. */
    private static final class PackedInstallation implements Installation {
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
            try {
                Files.writeString(otherwise, "archive");
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
            return new PackedFile(hash("archive"), otherwise);
        }
    }
}
