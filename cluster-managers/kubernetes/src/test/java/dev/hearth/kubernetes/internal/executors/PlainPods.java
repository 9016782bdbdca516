package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.api.SimulatedClaims;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import dev.hearth.spi.id.ApplicationId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/** Pods without content but their claims, for simulations. Immutable. */
record PlainPods(String name, String nonce, Optional<Owner> driverPod, List<ClaimSpec> volumes)
        implements ExecutorPods {
    @Override
    public ApplicationId application() {
        return new ApplicationId("spark-" + name);
    }

    @Override
    public boolean isOfApplication(ObjectFacts found) {
        return found.label("spark-app-selector").equals("spark-" + name);
    }

    @Override
    public boolean isOwn(ObjectFacts pod) {
        return pod.label(Placement.NONCE).equals(nonce);
    }

    @Override
    public boolean renews() {
        return driverPod.isEmpty();
    }

    @Override
    public String selector() {
        return "spark-app-selector=spark-" + name;
    }

    @Override
    public String ownSelector() {
        return selector() + "," + Placement.NONCE + "=" + nonce;
    }

    @Override
    public String selector(Iterable<Long> executors) {
        return ownSelector() + "," + in(KubernetesBackend.EXECUTOR_LABEL, executors);
    }

    @Override
    public String epochSelector(Iterable<Long> epochs) {
        return selector() + "," + Placement.NONCE + "!=" + nonce + "," + in(AnchorMarks.EPOCH, epochs);
    }

    private static String in(String label, Iterable<Long> values) {
        StringJoiner joined = new StringJoiner(",", label + " in (", ")");
        values.forEach(value -> joined.add(String.valueOf(value)));
        return joined.toString();
    }

    @Override
    public String anchorName() {
        return name + "-orders";
    }

    @Override
    public ApiObject anchor(long epoch) {
        Map<String, String> labels = labels();
        if (renews()) {
            labels.put("hearth.dev/pending", "anchor");
        }
        String json = "{\"metadata\":{\"annotations\":" + annotations(epoch, 0) + "}}";
        return new ApiObject(Resource.SECRET, anchorName(), labels, driverPod.map(Owner::uid), json);
    }

    private static String annotations(long epoch, long renewed) {
        return "{\"" + AnchorMarks.EPOCH + "\":\"" + epoch + "\",\"" + AnchorMarks.RENEWED + "\":\"" + renewed + "\"}";
    }

    @Override
    public String takeOver(String version, long epoch) {
        return "{\"metadata\":{\"resourceVersion\":\"" + version + "\",\"labels\":{\"" + Placement.NONCE + "\":\""
                + nonce + "\"},\"annotations\":" + annotations(epoch, 0) + "}}";
    }

    @Override
    public String renewal(String version, long renewed) {
        return "{\"metadata\":{\"resourceVersion\":\"" + version + "\",\"annotations\":{\"" + AnchorMarks.RENEWED
                + "\":\"" + renewed + "\"}}}";
    }

    @Override
    public String adoption(Owner owner) {
        return "{\"metadata\":{\"ownerReferences\":[{\"uid\":\"" + owner.uid() + "\"}]}}";
    }

    private Map<String, String> labels() {
        return SimulatedApiServer.labels("spark-app-selector", "spark-" + name, Placement.NONCE, nonce);
    }

    @Override
    public ApiObject pod(long executor, long epoch, Owner owner, HostWishes hosts, Map<String, String> claims) {
        Map<String, String> labels = labels();
        labels.put("spark-role", "executor");
        labels.put(KubernetesBackend.EXECUTOR_LABEL, String.valueOf(executor));
        labels.put(AnchorMarks.EPOCH, String.valueOf(epoch));
        String json = claims.isEmpty() ? "{}" : SimulatedClaims.podWith(claims);
        return new ApiObject(Resource.POD, podName(executor), labels, Optional.of(owner.uid()), json);
    }

    @Override
    public Optional<ExecutorClaims> claims() {
        return volumes.isEmpty() ? Optional.empty() : Optional.of(new PlainClaims());
    }

    /** Claims of these pods. */
    private final class PlainClaims implements ExecutorClaims {
        @Override
        public List<ClaimSpec> specs(String mode) {
            return volumes;
        }

        @Override
        public String selector() {
            return ownSelector();
        }

        @Override
        public String name(long number) {
            return name + "-pvc-" + number;
        }

        @Override
        public ApiObject claim(long number, long epoch, ClaimSpec spec, Owner owner) {
            Map<String, String> labels = labels();
            labels.put("spark-role", "executor");
            labels.put(AnchorMarks.EPOCH, String.valueOf(epoch));
            return new ApiObject(
                    Resource.PERSISTENT_VOLUME_CLAIM,
                    name(number),
                    labels,
                    Optional.of(owner.uid()),
                    SimulatedClaims.claim(spec));
        }
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
