package dev.hearth.kubernetes.internal.pod;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.executors.ExecutorPods;
import dev.hearth.spi.id.ApplicationId;
import java.util.Optional;
import java.util.Set;

/** Pods of executors whose launch orders are owned by the driver's pod, so that the cluster deletes them with it. Immutable. */
public final class OwnedPods implements ExecutorPods {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final ExecutorPods pods;
    private final Owner driver;

    private OwnedPods(ExecutorPods pods, Owner driver) {
        this.pods = pods;
        this.driver = driver;
    }

    /** The pods {@code pods}, owned by the driver's pod if there is one. */
    public static ExecutorPods of(ExecutorPods pods, Optional<Owner> driver) {
        return driver.<ExecutorPods>map(owner -> new OwnedPods(pods, owner)).orElse(pods);
    }

    @Override
    public ApiObject orders() {
        ApiObject orders = pods.orders();
        try {
            ObjectNode tree = (ObjectNode) MAPPER.readTree(orders.json());
            tree.withObject("/metadata").putArray("ownerReferences").add(ApplicationPods.owner(driver));
            return new ApiObject(
                    orders.resource(), orders.name(), orders.labels(), Optional.of(driver.uid()), tree.toString());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(orders + ": malformed (expected: JSON)", impossible);
        }
    }

    @Override
    public ApplicationId application() {
        return pods.application();
    }

    @Override
    public String selector() {
        return pods.selector();
    }

    @Override
    public String selector(Iterable<Long> executors) {
        return pods.selector(executors);
    }

    @Override
    public ApiObject pod(long executor, Owner owner, Set<String> excluded) {
        return pods.pod(executor, owner, excluded);
    }

    @Override
    public String podName(long executor) {
        return pods.podName(executor);
    }

    @Override
    public Optional<Long> executor(String label) {
        return pods.executor(label);
    }

    @Override
    public int cores() {
        return pods.cores();
    }
}
