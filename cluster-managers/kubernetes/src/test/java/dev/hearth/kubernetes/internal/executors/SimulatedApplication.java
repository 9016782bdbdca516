package dev.hearth.kubernetes.internal.executors;

import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingDriver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** Driver of one application on a simulated API server, which checks what its backend reports. Owned by a simulation. */
final class SimulatedApplication extends TestingDriver {
    final PlainPods pods;
    final Set<ExecutorId> live = new LinkedHashSet<>();
    final Map<ExecutorId, LostExecutor> lost = new LinkedHashMap<>();
    final List<String> hindrances = new ArrayList<>();
    final Set<ExecutorId> leaving = new LinkedHashSet<>();
    final KubernetesBackend backend;
    final Set<Long> requestedExecutors = new LinkedHashSet<>();
    Optional<HearthException> end = Optional.empty();
    Optional<Throwable> openFailure = Optional.empty();
    boolean closed;
    /** Requests of the backend to delete pods of its own. */
    int deletions;

    int wanted;
    /** Whether executors register as soon as they are reported. */
    boolean registering = true;

    final SimulatedProcess process;
    private final EventLoop loop;
    private int wantedOfBackend;

    /** Driver outside a pod. */
    SimulatedApplication(Simulation simulation, SimulatedApiServer server, String name, AllocatorSettings settings) {
        this(simulation, server, name, settings, 1, Optional.empty());
    }

    /** Application whose executors need the claims {@code volumes}. */
    SimulatedApplication(
            Simulation simulation,
            SimulatedApiServer server,
            String name,
            AllocatorSettings settings,
            List<ClaimSpec> volumes) {
        this(simulation, server, name, settings, 1, Optional.empty(), volumes);
    }

    /** The driver number {@code run} of the application, in the pod {@code driverPod}. */
    SimulatedApplication(
            Simulation simulation,
            SimulatedApiServer server,
            String name,
            AllocatorSettings settings,
            int run,
            Optional<Owner> driverPod) {
        this(simulation, server, name, settings, run, driverPod, List.of());
    }

    /** As above; its executors need the claims {@code volumes}. */
    SimulatedApplication(
            Simulation simulation,
            SimulatedApiServer server,
            String name,
            AllocatorSettings settings,
            int run,
            Optional<Owner> driverPod,
            List<ClaimSpec> volumes) {
        this.process = simulation.process(run == 1 ? name : name + "-run-" + run);
        this.loop = process.loop("driver");
        this.pods = new PlainPods(name, "nonce-" + name + (run == 1 ? "" : "-" + run), driverPod, volumes);
        this.backend = new KubernetesBackend(server, this, new CheckedPods(pods), settings);
        loop.execute(() -> backend.open(driverPod, driverPod.isPresent()).whenComplete((opened, failure) -> {
            openFailure = Optional.ofNullable(failure);
            want();
        }));
        simulation.always(
                "requests of " + name + " within the window",
                () -> backend.allocator().pace().inFlight() <= settings.parallelMax());
    }

    /** Sets the wanted number, and releases executors that run beyond it. */
    void want(int total) {
        wanted = total;
        loop.execute(() -> {
            want();
            Set<ExecutorId> idle = live.stream().skip(total).collect(Collectors.toCollection(LinkedHashSet::new));
            backend.release(idle, "idle");
        });
    }

    void release(Set<ExecutorId> executors) {
        loop.execute(() -> backend.release(executors, "idle"));
    }

    /** Doubts an executor, as a driver does that receives no message of it. */
    void doubt(ExecutorId executor) {
        loop.execute(() -> backend.doubted(executor));
    }

    void close() {
        close(ApplicationResult.FINISHED);
    }

    /** Closes as a driver whose application has failed. */
    void fail() {
        close(ApplicationResult.FAILED);
    }

    private void close(ApplicationResult result) {
        loop.execute(() -> {
            CompletionStage<Void> done = backend.close(result);
            done.thenAccept(nothing -> closed = true);
        });
    }

    private void want() {
        wantedOfBackend = wanted;
        backend.want(Map.of(ProfileId.DEFAULT, Demand.of(wanted)), Set.of());
    }

    @Override
    public void started(ExecutorId executor, String host, int cores) {
        loop.requireInLoop();
        if (lost.containsKey(executor) || !live.add(executor)) {
            throw new AssertionError("executor " + executor + ": started twice (expected: once)");
        }
        if (registering) {
            loop.execute(() -> backend.registered(executor));
        }
        if (live.size() > wanted
                && live.stream().filter(one -> !leaving.contains(one)).count()
                        > wanted) { // as a driver does with executors that have nothing to do
            loop.execute(() -> backend.release(Set.of(executor), "idle"));
        }
    }

    @Override
    public void leaving(ExecutorId executor, String reason) {
        leaving.add(executor);
    }

    @Override
    public void lost(ExecutorId executor, LostExecutor why) {
        loop.requireInLoop();
        if (!live.remove(executor) || lost.put(executor, why) != null) {
            throw new AssertionError("executor " + executor + ": lost without a start, or twice (expected: once)");
        }
    }

    @Override
    public void hindered(String reason) {
        hindrances.add(reason);
    }

    @Override
    public void clusterLost(HearthException why) {
        end = Optional.of(why);
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    /** Checks for each request that the executor is wanted. */
    private final class CheckedPods implements ExecutorPods {
        private final ExecutorPods plain;

        CheckedPods(ExecutorPods plain) {
            this.plain = plain;
        }

        @Override
        public ApplicationId application() {
            return plain.application();
        }

        @Override
        public boolean isOfApplication(ObjectFacts found) {
            return plain.isOfApplication(found);
        }

        @Override
        public boolean isOwn(ObjectFacts pod) {
            return plain.isOwn(pod);
        }

        @Override
        public String nonce() {
            return plain.nonce();
        }

        @Override
        public boolean renews() {
            return plain.renews();
        }

        @Override
        public String selector() {
            return plain.selector();
        }

        @Override
        public String ownSelector() {
            deletions++;
            return plain.ownSelector();
        }

        @Override
        public String selector(Iterable<Long> executors) {
            deletions++;
            return plain.selector(executors);
        }

        @Override
        public String epochSelector(Iterable<Long> epochs) {
            return plain.epochSelector(epochs);
        }

        @Override
        public String anchorName() {
            return plain.anchorName();
        }

        @Override
        public ApiObject anchor(long epoch) {
            return plain.anchor(epoch);
        }

        @Override
        public String takeOver(String version, long epoch) {
            return plain.takeOver(version, epoch);
        }

        @Override
        public String renewal(String version, long renewed) {
            return plain.renewal(version, renewed);
        }

        @Override
        public String adoption(Owner owner) {
            return plain.adoption(owner);
        }

        @Override
        public Optional<ExecutorClaims> claims() {
            return plain.claims();
        }

        @Override
        public ApiObject pod(long executor, long epoch, Owner owner, HostWishes hosts, Map<String, String> claims) {
            int requested = backend.allocator().slots().live();
            if (requested > wantedOfBackend) {
                throw new AssertionError(
                        requested + " executors live or requested (expected: " + wantedOfBackend + ")");
            }
            if (lost.containsKey(new ExecutorId(String.valueOf(executor)))) {
                throw new AssertionError("executor " + executor + ": requested after its loss (expected: a new one)");
            }
            requestedExecutors.add(executor);
            return plain.pod(executor, epoch, owner, hosts, claims);
        }

        @Override
        public String podName(long executor) {
            return plain.podName(executor);
        }

        @Override
        public Optional<Long> executor(String label) {
            return plain.executor(label);
        }

        @Override
        public int cores() {
            return plain.cores();
        }
    }
}
