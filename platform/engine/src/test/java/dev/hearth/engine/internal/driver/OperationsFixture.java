package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthContext;
import dev.hearth.engine.internal.disk.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * The context that operations are compared in, open while the properties of one class are tried. In this process, unless the
 * system property {@code hearth.test.master} names another master, for those who find a provider of contexts on the class path.
 */
@Domain(DrawnData.class)
@Domain(DomainContext.Global.class)
abstract class OperationsFixture {
    private static final String MASTER = System.getProperty("hearth.test.master", LocalContext.MASTER);
    private static final Map<String, String> LITTLE = Map.of("hearth.memory.total", "1m"); // what is kept is evicted

    static HearthContext context;
    private static Path checkpoints;
    private static Runnable closing;

    /** Whether executors share what they keep. */
    static boolean inOneProcess() {
        return MASTER.startsWith("local[");
    }

    @BeforeContainer
    static void open() throws IOException {
        if (MASTER.equals(LocalContext.MASTER)) {
            LocalContext local = new LocalContext();
            context = local.open(LITTLE);
            closing = local::close;
        } else {
            HearthContext.Builder builder =
                    HearthContext.builder().name("operations").master(MASTER);
            LITTLE.forEach(builder::setting);
            HearthContext opened = builder.open();
            context = opened;
            closing = opened::close;
        }
        checkpoints = Files.createTempDirectory("hearth-checkpoints-");
        context.checkpointDirectory(checkpoints.toString());
    }

    @AfterContainer
    static void close() throws IOException {
        closing.run();
        Trees.delete(checkpoints);
    }
}
