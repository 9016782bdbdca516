package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.spi.id.ApplicationId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/** Pods without content, for simulations. Immutable. */
record PlainPods(String name, String nonce) implements ExecutorPods {
    @Override
    public ApplicationId application() {
        return new ApplicationId("spark-" + name);
    }

    @Override
    public String selector() {
        return "spark-app-selector=spark-" + name + "," + Placement.NONCE + "=" + nonce;
    }

    @Override
    public String selector(Iterable<Long> executors) {
        StringJoiner ids = new StringJoiner(",", selector() + "," + KubernetesBackend.EXECUTOR_LABEL + " in (", ")");
        executors.forEach(executor -> ids.add(String.valueOf(executor)));
        return ids.toString();
    }

    @Override
    public ApiObject orders() {
        return new ApiObject(
                Resource.SECRET,
                name + "-orders",
                SimulatedApiServer.labels("spark-app-selector", "spark-" + name, Placement.NONCE, nonce),
                Optional.empty(),
                "{}");
    }

    @Override
    public ApiObject pod(long executor, Owner owner, Set<String> excluded) {
        Map<String, String> labels = new LinkedHashMap<>(orders().labels());
        labels.put(KubernetesBackend.EXECUTOR_LABEL, String.valueOf(executor));
        return new ApiObject(Resource.POD, podName(executor), labels, Optional.of(owner.uid()), "{}");
    }

    @Override
    public String podName(long executor) {
        return name + "-exec-" + executor;
    }

    @Override
    public Optional<Long> executor(String label) {
        return label.matches("\\d+") ? Optional.of(Long.valueOf(label)) : Optional.empty();
    }

    @Override
    public int cores() {
        return 1;
    }
}
