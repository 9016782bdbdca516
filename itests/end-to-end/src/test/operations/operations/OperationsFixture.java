package operations;

import dev.hearth.api.HearthContext;
import java.nio.file.Path;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.lifecycle.PropagationMode;

/**
 * Replaces the engine's fixture of the same name in an application, whose master and memory come from its submission.
 */
@Domain(RandomDataset.class)
@Domain(DomainContext.Global.class)
@AddLifecycleHook(value = RandomSeed.class, propagateTo = PropagationMode.ALL_DESCENDANTS)
abstract class OperationsFixture {
    /** Cores of a task of the profile that some datasets have; executors have one. */
    static final int TASK_CORES = 1;

    static HearthContext context;
    private static int directories;

    static boolean inOneProcess() {
        return context.isLocal();
    }

    static String unusedPath() {
        return Path.of(RunsOperations.directory, "d" + directories++).toString();
    }

    static String replay(String property) {
        return "mvn verify -pl itests/end-to-end -am -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=None -Dit.test=OperationsIT "
                + RandomSeed.settings() + ", see " + property;
    }

    @BeforeContainer
    static void open() {
        System.out.println("operations are drawn by " + RandomSeed.settings());
        context = HearthContext.builder().name("operations").open();
        context.checkpointDirectory(
                Path.of(RunsOperations.directory, "checkpoints").toString());
    }

    @AfterContainer
    static void close() {
        context.close();
    }
}
