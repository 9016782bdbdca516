package dev.hearth.kubernetes.internal.api;

import java.util.List;

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

    /** Further facts about a container, whose state is a {@link ContainerFacts}; {@code restarts} counts its restarts. */
    public record ContainerDetails(ContainerFacts facts, String image, String started, String finished, int restarts) {}
}
