package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HearthContext;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.disk.DirectoryTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.lifecycle.PropagationMode;

/**
 * The context of property tests, open while the properties of one class run. It runs in this process unless the system
 * property {@code hearth.test.master} names another master, which needs a context provider on the class path.
 */
@Domain(RandomDataset.class)
@Domain(DomainContext.Global.class)
@AddLifecycleHook(value = RandomSeed.class, propagateTo = PropagationMode.ALL_DESCENDANTS)
abstract class OperationsFixture {
    /** Cores of a task of the profile that some datasets have. */
    static final int TASK_CORES = LocalContext.CORES;

    private static final String MASTER = System.getProperty("hearth.test.master", LocalContext.MASTER);
    private static int opened; // each class uses another compression codec

    static HearthContext context;
    private static Path directory;
    private static int directories;
    private static Runnable closing;

    /** Whether there are several executors, which share cached blocks. */
    static boolean inOneProcess() {
        return MASTER.startsWith("local[");
    }

    /** An unused path that all executors see. */
    static String unusedPath() {
        return directory.resolve("d" + directories++).toString();
    }

    /** The command that reproduces one property. */
    static String replay(String property) {
        return "mvn -Dquick test -pl platform/engine/driver -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest='"
                + property + "' " + RandomSeed.settings();
    }

    /** Opens the context with little memory, so that blocks are evicted. */
    private static Map<String, String> settings() {
        CompressionCodec[] codecs = CompressionCodec.values();
        CompressionCodec codec = codecs[opened++ % codecs.length];
        return Map.of("hearth.memory.total", "1m", "hearth.io.compression.codec", codec.toString());
    }

    @BeforeContainer
    static void open() throws IOException {
        System.out.println("random operations of " + RandomSeed.settings());
        if (MASTER.equals(LocalContext.MASTER)) {
            LocalContext local = new LocalContext();
            context = local.open(settings());
            closing = local::close;
        } else {
            HearthContext.Builder builder =
                    HearthContext.builder().name("operations").master(MASTER);
            settings().forEach(builder::setting);
            HearthContext opened = builder.open();
            context = opened;
            closing = opened::close;
        }
        directory = Files.createTempDirectory("hearth-operations-");
        context.checkpointDirectory(directory.resolve("checkpoints").toString());
    }

    @AfterContainer
    static void close() throws IOException {
        closing.run();
        DirectoryTrees.delete(directory);
    }
}
