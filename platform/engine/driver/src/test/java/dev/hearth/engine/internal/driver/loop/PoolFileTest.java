package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.scheduler.PoolSpec;
import dev.hearth.engine.internal.scheduler.SchedulerFixture;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.scheduler.SchedulingMode;
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
                PoolFile.tree(settings).view().stream()
                        .map(pool -> pool.pool().name())
                        .toList());
        assertEquals(
                SchedulingMode.FIFO, PoolFile.tree(SchedulerFixture.settings()).mode());
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

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("pools.xml"), text);
    }
}
