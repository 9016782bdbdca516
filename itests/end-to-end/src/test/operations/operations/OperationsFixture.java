package operations;

import dev.hearth.api.HearthContext;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The engine's fixture of that name, for an application: its master and its memory are those it was submitted with. */
@Domain(DrawnData.class)
@Domain(DomainContext.Global.class)
abstract class OperationsFixture {
    static HearthContext context;

    static boolean inOneProcess() {
        return context.isLocal();
    }

    @BeforeContainer
    static void open() {
        context = HearthContext.builder().name("operations").open();
        context.checkpointDirectory(RunsOperations.checkpoints);
    }

    @AfterContainer
    static void close() {
        context.close();
    }
}
