package dev.hearth.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Rdd;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An application in its own process without a launcher, with the embedded classes on its class path. */
@Timeout(60)
class EmbeddedContextsTest {
    private static final int COLLECTIONS_MAX = 200;
    private static final long COLLECTION_WAIT_MILLIS = 50;

    @Test
    void runsJobsWithoutALauncher() {
        try (HearthContext context =
                HearthContext.builder().name("sum").master("local[2]").open()) {
            assertEquals(
                    14, context.parallelize(List.of(1, 2, 3), 2).map(x -> x * x).reduce(Integer::sum));
        }
    }

    @Test
    void holdsSeveralContextsWithSettingsOfTheirOwn() {
        HearthContext one = HearthContext.builder()
                .name("one")
                .master("local[1]")
                .setting("hearth.default.parallelism", "3")
                .open();
        try (HearthContext two = HearthContext.builder()
                .name("two")
                .master("local[2]")
                .setting("spark.default.parallelism", "5")
                .open()) {
            assertEquals(
                    List.of("one", "local[1]", 3),
                    List.of(one.applicationName(), one.master(), one.defaultParallelism()));
            assertEquals(
                    List.of("two", "local[2]", 5),
                    List.of(two.applicationName(), two.master(), two.defaultParallelism()));
            one.close();
            one.close();
            assertEquals(2, two.parallelize(List.of(1, 2)).count());
            Rdd<Integer> late = one.parallelize(List.of(1), 1);
            assertEquals(
                    "CONTEXT_CLOSED",
                    assertThrows(HearthException.class, late::count).code());
        }
    }

    @ParameterizedTest
    @CsvSource({"local, 1", "local[1], 1", "local[3], 3"})
    void hasTheParallelismOfItsCoresFromTheStart(String master, int cores) {
        for (int round = 0; round < 20; round++) {
            try (HearthContext context =
                    HearthContext.builder().name("cores").master(master).open()) {
                assertEquals(cores, context.defaultParallelism());
                assertEquals(cores, context.parallelize(List.of(1, 2, 3)).partitions());
                assertEquals(Math.min(2, cores), context.defaultMinPartitions());
            }
        }
    }

    @Test
    void readsSystemPropertiesBelowWhatTheBuilderSays() {
        System.setProperty("hearth.master", "local[3]");
        System.setProperty("spark.app.name", "by property");
        try (HearthContext context =
                HearthContext.builder().setting("hearth.master", "local[1]").open()) {
            assertEquals("local[1]", context.master());
            assertEquals("by property", context.applicationName());
        } finally {
            System.clearProperty("hearth.master");
            System.clearProperty("spark.app.name");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "local[1]", "local[*]", "local[ 2 , 3 ]", "local[99999]"})
    void opensEveryLocalMaster(String master) {
        try (HearthContext context = HearthContext.builder().master(master).open()) {
            assertEquals(3, context.parallelize(List.of(1, 2, 3), 2).count());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local[0]",
                "local[x]",
                "local[2,0]",
                "local[100000]",
                "local[]",
                "local[-1]",
                "local[1,2,3]",
                "local:2"
            })
    void refusesLocalMastersThatAreNone(String master) {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> HearthContext.builder().master(master).open());
        assertEquals("BAD_ARGUMENT", refused.code());
        assertTrue(String.valueOf(refused.getMessage()).contains(master), refused::getMessage);
        assertTrue(
                String.valueOf(refused.getMessage()).contains("local[2]")
                        || String.valueOf(refused.getMessage()).contains("local[N]"),
                refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hearth://host:7077",
                "spark://host:7077",
                "yarn",
                "k8s://https://host:6443",
                "local-cluster[2,1,1024]"
            })
    void saysHowToReachOtherMasters(String master) {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> HearthContext.builder().master(master).open());
        assertEquals("NO_MANAGER", refused.code());
        assertTrue(
                String.valueOf(refused.getMessage()).contains("start this program with bin/submit --master " + master),
                refused::getMessage);
    }

    @Test
    void refusesBadValuesAndWarnsOfUnknownKeys() {
        HearthException refused = assertThrows(
                HearthException.class,
                () -> HearthContext.builder()
                        .setting("hearth.task.maxFailures", "none")
                        .open());
        assertEquals("BAD_SETTING", refused.code());
        String said = errorsOf(() -> HearthContext.builder()
                .master("local[1]")
                .setting("hearth.task.maxFailure", "2")
                .setting("hearth.worker.cores", "2") // a setting of another process, which is also known here
                .open()
                .close());
        assertTrue(said.contains("did you mean hearth.task.maxFailures?"), said);
        assertFalse(said.contains("hearth.worker.cores"), said);
    }

    @Test
    void runsTasksWithTheClassesOfTheThreadThatOpened() throws Exception {
        try (var loader = new URLClassLoader(new URL[0], EmbeddedContexts.class.getClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            try (HearthContext context =
                    HearthContext.builder().master("local[1]").open()) {
                assertEquals(
                        List.of(true),
                        context.parallelize(List.of(1), 1)
                                .map(x -> Thread.currentThread().getContextClassLoader() instanceof URLClassLoader)
                                .collect());
            } finally {
                Thread.currentThread().setContextClassLoader(EmbeddedContexts.class.getClassLoader());
            }
        }
    }

    @Test
    void letsTheClassesGoOnceNoContextUsesThem() throws Exception {
        ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
        WeakReference<ClassLoader> loader = useOnce(gone);
        for (int i = 0; i < COLLECTIONS_MAX && gone.remove(COLLECTION_WAIT_MILLIS) == null; i++) {
            System.gc();
        }
        assertTrue(loader.refersTo(null), "what was closed still holds the loader");
    }

    /** Runs on a thread of its own, so that this thread does not reference the loader. */
    private static WeakReference<ClassLoader> useOnce(ReferenceQueue<ClassLoader> gone) throws Exception {
        URLClassLoader loader = new URLClassLoader(new URL[0], EmbeddedContexts.class.getClassLoader());
        WeakReference<ClassLoader> watched = new WeakReference<>(loader, gone);
        Thread program = new Thread(() -> {
            try (HearthContext context =
                    HearthContext.builder().master("local[2]").open()) {
                assertEquals(2, context.parallelize(List.of(1, 2), 2).count());
                context.parallelize(List.of(1, 2), 2).countAsync().get();
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        });
        program.setContextClassLoader(loader);
        program.start();
        program.join();
        loader.close();
        return watched;
    }

    private static String errorsOf(Runnable action) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(before);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void saysWhatAnEventLogNeeds() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> HearthContext.builder()
                        .master("local[1]")
                        .setting("hearth.eventLog.enabled", "true")
                        .open());
        assertEquals("NO_PROVIDER", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("dev.hearth:hearth-event-log"), failure.getMessage());
    }
}
