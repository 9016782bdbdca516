package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.BinaryFile;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the properties of a context, and files that tasks open themselves. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class ContextFactsTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @Test
    void reportsUserAndVersion() {
        HearthContext context = local.open();
        assertEquals(System.getProperty("user.name"), context.user());
        assertTrue(context.version().matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?"), context.version());
    }

    @Test
    void reportsSettingsThatTheDriverDecides() {
        HearthContext context = local.open(Map.of("hearth.driver.port", "4711", "hearth.app.startTime", "1"));
        Map<String, String> settings = context.settings();
        assertEquals(context.applicationId(), settings.get("hearth.app.id"));
        assertEquals("driver", settings.get("hearth.executor.id"));
        assertEquals(String.valueOf(context.startedAt().toEpochMilli()), settings.get("hearth.app.startTime"));
        assertEquals("4711", settings.get("hearth.driver.port"), "as configured, while no port is open");
    }

    @Test
    void isCheckedByItsClusterManagerWithTheSettingsOfTheProgramInClientModeAlone() {
        Map<String, String> refused = Map.of("hearth.testing.refused", "no quota");
        HearthException failure = assertThrows(HearthException.class, () -> local.open("counts", refused));
        assertEquals("BAD_SETTING", failure.code());
        assertEquals("counts in mode CLIENT: no quota", failure.getMessage());
        local.open("counts", Map.of("hearth.testing.refused", "no quota", "hearth.submit.deployMode", "cluster"));
    }

    @Test
    void reportsTheCheckpointDirectory(@TempDir Path directory) {
        HearthContext context = local.open();
        assertEquals(Optional.empty(), context.checkpointDirectory());
        context.checkpointDirectory(directory.toString());
        assertEquals(Optional.of(directory.toString()), context.checkpointDirectory());
    }

    @Test
    void listsWhatIsPersisted() {
        HearthContext context = local.open();
        Rdd<Integer> numbers =
                context.parallelize(List.of(1, 2, 3), 2).named("numbers").cache();
        PairRdd<Integer, Integer> sorted =
                numbers.keyBy(number -> -number).sortByKey().persist(StorageLevel.DISK_ONLY);
        Map<Integer, Rdd<?>> persisted = context.persistedDatasets();
        assertEquals(Set.of(numbers.id(), sorted.id()), persisted.keySet());
        assertEquals(List.of(1, 2, 3), persisted.get(numbers.id()).collect());
        assertEquals("numbers", persisted.get(numbers.id()).name());
        assertEquals(sorted.collect(), persisted.get(sorted.id()).collect());
        persisted.get(numbers.id()).unpersist(true);
        assertEquals(StorageLevel.NONE, numbers.storageLevel());
        assertEquals(Set.of(sorted.id()), context.persistedDatasets().keySet());
    }

    @Test
    void findsTheJarOfAClass() {
        assertEquals(
                Optional.of("junit-jupiter-api"),
                HearthContext.jarOf(Test.class)
                        .map(jar -> String.valueOf(jar.getFileName()).replaceFirst("-\\d.*", "")));
        assertEquals(Optional.empty(), HearthContext.jarOf(String.class));
        assertEquals(Optional.empty(), HearthContext.jarOf(ContextFactsTest.class), "a directory");
    }

    @Test
    void opensFilesInTasks(@TempDir Path directory) throws IOException {
        Files.write(directory.resolve("a"), new byte[] {7, 1, 2});
        Files.write(directory.resolve("b"), new byte[] {9});
        HearthContext context = local.open();
        PairRdd<String, BinaryFile> files = context.binaryStreams(directory.toString(), 2);
        assertEquals(
                Map.of("a", 7, "b", 9),
                files.mapToPair(file -> dev.hearth.api.Pair.of(
                                file.key().substring(file.key().lastIndexOf('/') + 1), first(file.value())))
                        .collectAsMap());
        assertEquals(4, files.values().map(file -> (int) file.length()).reduce(Integer::sum));
        assertEquals(4, files.values().map(file -> file.bytes().length).reduce(Integer::sum));
    }

    private static int first(BinaryFile file) throws IOException {
        try (InputStream in = file.open()) {
            return in.read();
        }
    }
}
