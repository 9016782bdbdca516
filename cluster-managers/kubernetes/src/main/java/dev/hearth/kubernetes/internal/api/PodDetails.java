package dev.hearth.kubernetes.internal.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Further facts about a driver's pod, for display. Times are the texts of the API; texts that are not known are empty.
 * Immutable.
 */
public record PodDetails(
        String namespace,
        String created,
        String serviceAccount,
        List<String> volumes,
        String started,
        List<ContainerDetails> containers) {
    /** Details of a pod of which nothing is known. */
    public static final PodDetails NONE = new PodDetails("", "", "", List.of(), "", List.of());

    public PodDetails {
        volumes = List.copyOf(volumes);
        containers = List.copyOf(containers);
    }

    /**
     * Further facts about a container, whose state is a {@link ContainerFacts}. {@code restarts} counts its restarts; {@code
     * lastExit} is the exit status of the run before the present one.
     */
    public record ContainerDetails(
            ContainerFacts facts, String image, String started, String finished, int restarts, OptionalInt lastExit) {
        /** Details of a container that was not restarted. */
        public ContainerDetails(ContainerFacts facts, String image, String started, String finished) {
            this(facts, image, started, finished, 0, OptionalInt.empty());
        }
    }

    /** The details of the container {@code name}. */
    public Optional<ContainerDetails> container(String name) {
        return containers.stream()
                .filter(container -> container.facts().name().equals(name))
                .findFirst();
    }
}
