package dev.hearth.testkit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Cluster manager with one submission, whose statuses a test scripts before it runs a role; records the last request of
 * the role.
 */
public final class ScriptedCluster implements ClusterManager {
    private static final SubmissionId ID = new SubmissionId("driver-1");
    private static final String PLACEMENT = "worker w-1 at host:7078";

    private final List<SubmissionStatus> script = new ArrayList<>();
    private Optional<HearthException> refusal = Optional.empty();
    private Optional<String> loss = Optional.empty();
    private Set<DeployMode> modes = EnumSet.allOf(DeployMode.class);
    private Runnable submitted = () -> {};
    private volatile String asked = "";

    public void then(SubmissionState state) {
        String placement = state == SubmissionState.RUNNING ? PLACEMENT : "";
        script.add(new SubmissionStatus(ID, state, placement, "", OptionalInt.empty(), "", ""));
    }

    public void end(SubmissionState state, OptionalInt exit, String message, String output, String errors) {
        script.add(new SubmissionStatus(ID, state, PLACEMENT, message, exit, output, errors));
    }

    public void lose(String reason) {
        loss = Optional.of(reason);
    }

    public void refuse(HearthException failure) {
        refusal = Optional.of(failure);
    }

    public void offerOnlyClientMode() {
        modes = EnumSet.of(DeployMode.CLIENT);
    }

    public void whenSubmitted(Runnable action) {
        submitted = action;
    }

    /** The last request. */
    public String asked() {
        return asked;
    }

    @Override
    public Set<DeployMode> deployModes() {
        return modes;
    }

    @Override
    public void validate(MasterUrl master) {
        asked = "validate " + master;
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of();
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        throw new AssertionError("backend: opened (expected: by drivers only)");
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        services.loop().requireInLoop();
        asked = "submit " + plan.mainClass() + " " + master;
        if (refusal.isPresent()) {
            return CompletableFuture.failedStage(refusal.get());
        }
        script.forEach(status -> services.loop().execute(() -> listener.changed(status)));
        loss.ifPresent(reason -> services.loop().execute(() -> listener.lost(reason)));
        submitted.run();
        return CompletableFuture.completedStage(ID);
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        asked = "status " + submission + " " + master;
        return CompletableFuture.completedStage(script.get(script.size() - 1));
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        asked = "kill " + submission + " " + master;
        return CompletableFuture.completedStage(script.get(script.size() - 1));
    }
}
