package dev.hearth.itests.simulation;

import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.testkit.MessageWatch;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Observes which masters the workers serve and obey. Checks that the terms which a worker has served only grow, and that it
 * starts and stops nothing by an order of a term before one that it has served or obeyed.
 */
final class ObeyedMasters implements MessageWatch {
    private static final long NO_ORDER = 0;

    private final Simulation simulation;
    private final Masters masters;
    private final Map<String, Long> served = new LinkedHashMap<>(); // the newest term, by the session of the worker
    private final Map<SimulatedProcess, Long> reached = new LinkedHashMap<>(); // the newest term, by worker
    private long ordering = NO_ORDER; // the term of the message that is handled

    ObeyedMasters(Simulation simulation, Masters masters) {
        this.simulation = simulation;
        this.masters = masters;
    }

    @Override
    public void handled(SimulatedProcess from, SimulatedProcess to, Record message, Runnable handling) {
        if (message instanceof RegisterWorker registration) {
            serves(
                    from,
                    registration.session().id(),
                    registration.session().served().epoch());
        }
        ordering = masters.epoch(from);
        handling.run();
        ordering = NO_ORDER;
    }

    private void serves(SimulatedProcess worker, String session, long epoch) {
        long before = served.getOrDefault(session, 0L);
        simulation.require(
                worker.name() + " serves terms that grow: " + epoch + " after " + before, () -> epoch >= before);
        served.put(session, epoch);
        reached.merge(worker, epoch, Math::max);
    }

    /** Records that {@code worker} starts or stops a process. */
    void obeys(SimulatedProcess worker) {
        long order = ordering;
        if (order != NO_ORDER) {
            long before = reached.getOrDefault(worker, 0L);
            simulation.require(
                    worker.name() + " obeys an order of term " + order + " after " + before, () -> order >= before);
            reached.put(worker, order);
        }
    }
}
