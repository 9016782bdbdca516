package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.scheduler.PoolSpec;
import dev.hearth.engine.internal.scheduler.SchedulerFixture;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.scheduler.SchedulingMode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.testkit.storage.MemoryFileStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Valid and invalid pool files in Spark's format. */
class PoolFileTest {
    @TempDir
    private Path directory;

    @Test
    void readsPoolsInOrderWithDefaults() throws IOException {
        Path file = write("""
                <?xml version="1.0"?>
                <!-- pools -->
                <allocations>
                  <pool name="production">
                    <schedulingMode>FAIR</schedulingMode>
                    <weight> 2 </weight>
                    <minShare>3</minShare>
                  </pool>
                  <pool name="plain"/>
                </allocations>
                """);
        assertEquals(
                List.of(
                        new PoolSpec("production", SchedulingMode.FAIR, 2, 3),
                        new PoolSpec("plain", SchedulingMode.FIFO, 1, 0)),
                PoolFile.read(file));
        SchedulerSettings settings =
                SchedulerFixture.settings("scheduler.mode", "fair", "scheduler.allocation.file", "" + file);
        assertEquals(
                List.of("production", "plain", "default"),
                PoolFile.tree(settings, LazyStores.local()).view().stream()
                        .map(pool -> pool.pool().name())
                        .toList());
        assertEquals(
                SchedulingMode.FIFO,
                PoolFile.tree(SchedulerFixture.settings(), LazyStores.local()).mode());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            <pools/>                                                     | line 1: <pools> (expected: <allocations>)
            <allocations><queue/></allocations>                          | <queue> in <allocations> (expected: <pool>)
            <allocations><pool/></allocations>                           | a pool without a name
            <allocations><pool name="a"/><pool name="a"/></allocations>  | pool 'a' a second time
            <allocations><pool name="a"><weight>0</weight></pool></allocations> | weight '0' of pool 'a' (expected: a whole number, 1 or more)
            <allocations><pool name="a"><minShare>x</minShare></pool></allocations> | minShare 'x' of pool 'a'
            <allocations><pool name="a"><weight>1</weight><weight>1</weight></pool></allocations> | <weight> a second time in pool 'a'
            <allocations><pool name="a"><schedulingMode>NONE</schedulingMode></pool></allocations> | schedulingMode 'NONE' of pool 'a' (expected: FIFO or FAIR)
            <allocations><pool name="a"><color/></pool></allocations>    | <color> in pool 'a'
            <allocations><pool name="a"></allocations>                   | not well-formed
            <!DOCTYPE a SYSTEM "file:///x"><allocations/>                | a document type (expected: none)
            <!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]><allocations>&e;</allocations> | pool file
            """)
    void saysWhatIsWrongAndWhere(String text, String message) throws IOException {
        Path file = write(text);
        HearthException failure = assertThrows(HearthException.class, () -> PoolFile.read(file));
        assertEquals("BAD_SETTING", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(message), failure.getMessage());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("pool file " + file), failure.getMessage());
    }

    @Test
    void saysThatAFileIsMissing() {
        HearthException failure =
                assertThrows(HearthException.class, () -> PoolFile.read(directory.resolve("absent.xml")));
        assertEquals("PATH_MISSING", failure.code());
    }

    @Test
    void readsAFileFromTheStoreOfItsScheme() throws IOException {
        MemoryFileStores memory = new MemoryFileStores();
        memory.write("mem://a/conf/pools.xml", "<allocations><pool name=\"remote\"/></allocations>");
        memory.write("mem://a/conf/broken.xml", "<allocations><pool/></allocations>");
        LazyStores stores =
                new LazyStores("app", Settings.empty(), FileStoreRegistry.of(() -> List.of(memory)), () -> false);
        assertEquals(List.of("remote", "default"), pools("mem://a/conf/pools.xml", stores));
        HearthException broken = assertThrows(HearthException.class, () -> pools("mem://a/conf/broken.xml", stores));
        assertTrue(
                String.valueOf(broken.getMessage()).startsWith("pool file mem://a/conf/broken.xml, line 1: a pool"),
                broken.getMessage());
        HearthException missing = assertThrows(HearthException.class, () -> pools("mem://a/absent.xml", stores));
        assertEquals("PATH_MISSING", missing.code());
        HearthException unserved = assertThrows(HearthException.class, () -> pools("no://a/pools.xml", stores));
        assertEquals("NO_PROVIDER", unserved.code());
        assertTrue(stores.closing()
                .toCompletableFuture()
                .handle((ok, failure) -> true)
                .join());
        assertEquals(0, memory.openStores());
    }

    @Test
    void readsALocalFileWithoutStores() throws IOException {
        Path file = write("<allocations><pool name=\"a\"/></allocations>");
        ApplicationStores refused = new ApplicationStores() {
            @Override
            public FileName name(String text) {
                throw new AssertionError(text);
            }

            @Override
            public FileStore of(FileName name) {
                throw new AssertionError(name);
            }
        };
        assertEquals(List.of("a", "default"), pools(file.toUri().toString(), refused));
        HearthException malformed = assertThrows(HearthException.class, () -> pools("file:pools.xml", refused));
        assertEquals("BAD_SETTING", malformed.code());
    }

    private static List<String> pools(String file, ApplicationStores stores) {
        SchedulerSettings settings =
                SchedulerFixture.settings("scheduler.mode", "fair", "scheduler.allocation.file", file);
        return PoolFile.tree(settings, stores).view().stream()
                .map(pool -> pool.pool().name())
                .toList();
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("pools.xml"), text);
    }
}
