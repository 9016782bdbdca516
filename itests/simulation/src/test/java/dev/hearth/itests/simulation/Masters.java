package dev.hearth.itests.simulation;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.testkit.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Masters of a simulated cluster, at most one of which may lead. */
interface Masters {
    List<RpcAddress> addresses();

    /** Process of the master that leads, or of the last one that has led. */
    SimulatedProcess leader();

    /** The master that leads; empty while there is none. */
    Optional<MasterShell> leading();

    /** The log of facts that the masters share one after another; empty if they keep none. */
    Optional<SimulatedFactLog> log();

    /** Number of the last term in which {@code process} has led; 0 if it has not. */
    long epoch(SimulatedProcess process);

    /** Number of masters that have led. */
    long epoch();

    /** Kills the leader, and starts its process again after {@code away}. What was not durable is lost. */
    void crashLeader(Duration away);

    /** Suspends the leader for {@code time}. */
    void pauseLeader(Duration time);
}
