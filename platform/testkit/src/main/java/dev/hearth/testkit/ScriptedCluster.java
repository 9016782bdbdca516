package dev.hearth.testkit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionRules;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.error.ErrorCode;
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
    /** Name of the application that {@link #check} refuses. */
    private static final String REFUSED = "unwanted";

    private static final String PLACEMENT = "worker w-1 at host:7078";

    private final List<SubmissionStatus> script = new ArrayList<>();
    private Optional<HearthException> refusal = Optional.empty();
    private Optional<String> loss = Optional.empty();
    private Set<DeployMode> modes = EnumSet.allOf(DeployMode.class);
    private Runnable submitted = () -> {};
    private Runnable told = () -> {};
    private boolean silent;
    private SubmissionRules rules = SubmissionRules.NONE;
    private Optional<String> said = Optional.empty();
    private ClusterView view = ClusterView.NONE;
    private volatile String asked = "";
    private volatile Optional<SubmissionPlan> plan = Optional.empty();

    public void then(SubmissionState state) {
        script.add(
                state == SubmissionState.RUNNING
                        ? placed(state, "", OptionalInt.empty(), "", "", Map.of(), 1, SubmissionTimes.NONE)
                        : new SubmissionStatus(ID, state, "", "", OptionalInt.empty(), "", ""));
    }

    /** As {@link #end}, for a driver with {@code times} and {@code links} in its {@code attempt}. */
    public void status(SubmissionState state, SubmissionTimes times, Map<String, String> links, int attempt) {
        script.add(placed(state, "said \"so\"", OptionalInt.empty(), "", "", links, attempt, times));
    }

    public void end(SubmissionState state, OptionalInt exit, String message, String output, String errors) {
        script.add(placed(state, message, exit, output, errors, Map.of(), 1, SubmissionTimes.NONE));
    }

    /** Status of a driver on a worker. */
    private static SubmissionStatus placed(
            SubmissionState state,
            String message,
            OptionalInt exit,
            String output,
            String errors,
            Map<String, String> links,
            int attempt,
            SubmissionTimes times) {
        return new SubmissionStatus(
                ID, state, PLACEMENT, message, exit, output, errors, links, attempt, times, "w-1", "host:7078");
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

    /** Runs {@code action} once all statuses of the script have been reported. */
    public void afterScript(Runnable action) {
        told = action;
    }

    /** Never answers whether it accepts a submission. */
    public void answerNothing() {
        silent = true;
    }

    /** Sets the view of this cluster, and with it what a question about its workers and applications returns. */
    public void show(ClusterView shown) {
        view = shown;
    }

    /** Declares {@code rules} as those of this cluster. */
    public void declare(SubmissionRules own) {
        rules = own;
    }

    /** Says {@code line}, and writes it as output of the driver too, once an application is submitted. */
    public void say(String line) {
        said = Optional.of(line);
    }

    /** The last status of the script. */
    public SubmissionStatus lastStatus() {
        return script.get(script.size() - 1);
    }

    /** The last plan that was submitted. */
    public SubmissionPlan plan() {
        return plan.orElseThrow();
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
    public void prepareSubmission() {
        asked = "prepare a submission";
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
    public SubmissionRules rules(MasterUrl master) {
        return rules;
    }

    @Override
    public void check(SubmissionPlan plan, MasterUrl master, DeployMode mode) {
        if (plan.name().equals(REFUSED)) {
            throw ErrorCode.BAD_SETTING.failure(
                    "application " + REFUSED + ": on " + master + " in mode " + mode + " (expected: another name)");
        }
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
        this.plan = Optional.of(plan);
        if (refusal.isPresent()) {
            return CompletableFuture.failedStage(refusal.get());
        }
        said.ifPresent(line -> services.loop().execute(() -> {
            listener.said(line);
            listener.wrote(line + "\n");
        }));
        script.forEach(status -> services.loop().execute(() -> listener.changed(status)));
        loss.ifPresent(reason -> services.loop().execute(() -> listener.lost(reason)));
        services.loop().execute(told);
        submitted.run();
        return silent ? new CompletableFuture<>() : CompletableFuture.completedStage(ID);
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        asked = "status " + submission + " " + master;
        return last();
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        asked = "kill " + submission + " " + master;
        return last();
    }

    private CompletionStage<SubmissionStatus> last() {
        return refusal.isPresent()
                ? CompletableFuture.failedStage(refusal.get())
                : CompletableFuture.completedStage(script.get(script.size() - 1));
    }

    /** Answers patterns with one status for each status of the script, as if it were that of another submission. */
    @Override
    public CompletionStage<List<SubmissionStatus>> status(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        if (pattern.single().isPresent()) {
            return ClusterManager.super.status(pattern, master, services);
        }
        asked = "status " + pattern + " " + master + " " + cores(services);
        return CompletableFuture.completedStage(pattern.text().startsWith("none") ? List.of() : List.copyOf(script));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        if (pattern.single().isPresent()) {
            return ClusterManager.super.kill(pattern, master, services);
        }
        asked = "kill " + pattern + " " + master + " " + cores(services);
        return CompletableFuture.completedStage(pattern.text().startsWith("none") ? List.of() : List.copyOf(script));
    }

    private static String cores(SubmissionServices services) {
        return services.settings().find("hearth.driver.cores").orElse("");
    }

    @Override
    public ClusterView view(MasterUrl master, SubmissionServices services) {
        asked = "view " + master;
        return view;
    }
}
