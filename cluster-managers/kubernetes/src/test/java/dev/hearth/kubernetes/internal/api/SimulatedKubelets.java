package dev.hearth.kubernetes.internal.api;

import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.Optional;

/** Scheduler and kubelets of a {@link SimulatedApiServer}: they bring its pods to nodes and run them. Owned by the server. */
final class SimulatedKubelets {
    private final SimulatedApiServer server;
    private final Simulation simulation;

    SimulatedKubelets(SimulatedApiServer server, Simulation simulation) {
        this.server = server;
        this.simulation = simulation;
    }

    void schedule(String pod, StoredObject stored) {
        simulation.schedule(server.random(Duration.ofMillis(200)), () -> {
            if (!server.holds(stored) || stored.pod.deleting()) {
                return;
            }
            Optional<String> missing = stored.mounted.stream()
                    .filter(claim -> !server.isBindable(claim))
                    .findFirst();
            if (!server.schedulable || missing.isPresent()) {
                String words = missing.map(claim -> "persistentvolumeclaim \"" + claim + "\" not found")
                        .orElse("0/3 nodes are available: 3 Insufficient cpu.");
                if (!stored.pod.unscheduled().equals(words)) {
                    server.change(pod, facts -> facts.unscheduled(words));
                }
                schedule(pod, stored);
                return;
            }
            server.change(pod, facts -> facts.on("node-" + Math.floorMod(pod.hashCode(), 5)));
            simulation.schedule(Duration.ofMillis(500), () -> run(pod, stored));
        });
    }

    private void run(String pod, StoredObject stored) {
        if (!server.holds(stored) || stored.pod.deleting() || stored.pod.isTerminal()) {
            return;
        }
        if (!server.imageExists) {
            server.change(
                    pod,
                    facts -> facts.in(
                            "Pending",
                            ContainerFacts.waiting(
                                    container(stored), "ErrImageNeverPull", "Container image is not present")));
            return;
        }
        server.change(pod, facts -> facts.in("Running", ContainerFacts.running(container(stored))));
        if (server.endsAtOnceWith >= 0) {
            simulation.schedule(Duration.ofMillis(300), () -> {
                if (server.holds(stored)) {
                    server.end(pod, server.endsAtOnceWith, "Error");
                }
            });
        }
    }

    /** Name of the container of a pod. */
    static String container(StoredObject stored) {
        return stored.labels.getOrDefault("spark-role", "").equals("driver")
                ? "spark-kubernetes-driver"
                : SimulatedApiServer.CONTAINER;
    }
}
