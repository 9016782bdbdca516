package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.testkit.Simulation;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Faults of a cluster and wishes of an application, in random order. Owned by a simulation. */
final class RandomFaults {
    private static final int KINDS = 14;

    private final Simulation simulation;
    private final SimulatedApiServer server;
    private final SimulatedApplication application;
    private final int executorsMax;

    /** Faults of an application that wants fewer than {@code executorsMax} executors. */
    RandomFaults(Simulation simulation, SimulatedApiServer server, SimulatedApplication application, int executorsMax) {
        this.simulation = simulation;
        this.server = server;
        this.application = application;
        this.executorsMax = executorsMax;
    }

    void next() {
        List<String> pods = server.pods(application.pods.selector());
        Optional<String> pod = pods.isEmpty()
                ? Optional.empty()
                : Optional.of(pods.get(simulation.random().nextInt(pods.size())));
        switch (simulation.random().nextInt(KINDS)) {
            case 0 -> application.want(simulation.random().nextInt(executorsMax));
            case 1 -> pod.ifPresent(name -> server.end(name, 1, "Error"));
            case 2 -> pod.ifPresent(name -> server.deleteByStranger(name, 30));
            case 3 -> pod.ifPresent(server::vanish);
            case 4 -> server.breakWatches(new Answer.Unknown("connection reset"));
            case 5 -> {
                server.compact();
                server.breakWatches(new Answer.Refused(RefusalKind.GONE, "too old resource version"));
            }
            case 6 -> server.away = !server.away;
            case 7 -> server.schedulable = !server.schedulable;
            case 8 -> server.quota = server.quota == Integer.MAX_VALUE ? executorsMax / 6 : Integer.MAX_VALUE;
            case 9 -> application.live.stream().findFirst().ifPresent(one -> application.release(Set.of(one)));
            case 10 ->
                pod.ifPresent(name -> {
                    server.change(name, facts -> facts.disrupted("PreemptionByScheduler"));
                    server.deleteByStranger(name, 30);
                });
            case 11 -> pod.ifPresent(name -> server.change(name, facts -> facts.withNodeSilent(!facts.nodeSilent())));
            case 12 -> application.live.stream().findFirst().ifPresent(application::doubt);
            default -> server.faultRate = simulation.random().nextDouble() * 0.2;
        }
    }

    /** Ends all faults. */
    void calmDown() {
        server.away = false;
        server.schedulable = true;
        server.faultRate = 0;
        server.quota = Integer.MAX_VALUE;
    }
}
