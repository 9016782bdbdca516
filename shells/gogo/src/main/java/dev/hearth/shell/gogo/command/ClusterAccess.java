package dev.hearth.shell.gogo.command;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ClusterConnection;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnvFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access of commands to a cluster: the one whose master URL the user names, else the one that this process is part of,
 * else the one of the application that runs in this process, else the one of the setting {@code hearth.master}. Any
 * thread may call.
 */
@Component(service = ClusterAccess.class)
public final class ClusterAccess {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterAccess.class);
    private static final String MASTER = "hearth.master";
    private static final int OWN_ANSWER_SECONDS_MAX = 30;
    private static final long GLANCE_MILLIS = 1_500;

    private final List<ClusterView> views = new CopyOnWriteArrayList<>();

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable ClusterManagers managers;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RpcEnvFactory rpcs;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable KernelInfo kernel;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addView(ClusterView view) {
        views.add(view);
    }

    void removeView(ClusterView view) {
        views.remove(view);
    }

    /** Request to a cluster manager. */
    interface Question<T> {
        CompletionStage<T> ask(ClusterManager manager, MasterUrl master, SubmissionServices services);
    }

    /** View of a cluster, open until it is closed. Used by one thread, which waits for each answer. */
    interface OpenView extends AutoCloseable {
        <T> T ask(Function<ClusterView, CompletionStage<T>> question) throws InterruptedException;

        @Override
        void close();
    }

    /** Asks the manager of the cluster {@code given}, or of the default one. {@code what} names the question. */
    <T> T ask(CommandCall call, Optional<String> given, String what, Question<T> question) throws InterruptedException {
        MasterUrl master = master(call, given);
        try (PinnedManager pinned = call.need(managers, ClusterManagers.class).pin(master, what);
                ClusterConnection connection = connect(call)) {
            pinned.manager().validate(master);
            return connection.call(services -> question.ask(pinned.manager(), master, services));
        }
    }

    /** Opens the view of the cluster {@code given}, or of the default one. {@code what} names the view's user. */
    OpenView open(CommandCall call, Optional<String> given, String what) {
        Optional<ClusterView> own = given.isPresent() ? Optional.empty() : own();
        if (own.isPresent()) {
            return new OwnView(own.get());
        }
        MasterUrl master = master(call, given);
        PinnedManager pinned = call.need(managers, ClusterManagers.class).pin(master, what);
        try {
            pinned.manager().validate(master);
            return new RemoteView(pinned, master, connect(call));
        } catch (RuntimeException failure) {
            pinned.close();
            throw failure;
        }
    }

    /**
     * Asks the default cluster for a short time, as for completions; empty if there is none or it does not answer in
     * time.
     */
    <T> Optional<T> glance(Function<ClusterView, CompletionStage<T>> question) {
        ClusterManagers present = managers;
        KernelInfo process = kernel;
        RpcEnvFactory rpc = rpcs;
        Optional<ClusterView> own = own();
        try {
            if (own.isPresent()) {
                return Optional.of(
                        question.apply(own.get()).toCompletableFuture().get(GLANCE_MILLIS, TimeUnit.MILLISECONDS));
            }
            if (present == null || process == null || rpc == null) {
                return Optional.empty();
            }
            Optional<MasterUrl> master =
                    ofApplication().or(() -> process.settings().find(MASTER).map(MasterUrl::parse));
            return master.isPresent() ? glance(present, process, rpc, master.get(), question) : Optional.empty();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (HearthException | ExecutionException | TimeoutException unanswered) {
            LOG.debug("completion: the cluster does not answer", unanswered);
            return Optional.empty();
        }
    }

    private static <T> Optional<T> glance(
            ClusterManagers managers,
            KernelInfo process,
            RpcEnvFactory rpcs,
            MasterUrl master,
            Function<ClusterView, CompletionStage<T>> question)
            throws InterruptedException {
        CompletableFuture<Void> late =
                new CompletableFuture<Void>().completeOnTimeout(null, GLANCE_MILLIS, TimeUnit.MILLISECONDS);
        try (PinnedManager pinned = managers.pin(master, "completion");
                ClusterConnection connection = ClusterConnection.open(
                        rpcs,
                        process.settings(),
                        process.home(),
                        late,
                        failure -> LOG.error("question to a cluster", failure))) {
            return Optional.of(
                    connection.call(services -> question.apply(pinned.manager().view(master, services))));
        }
    }

    /**
     * Returns the address of the driver that {@code id} names, the beginning of an id of an application or a driver;
     * asks the master {@code given} or the default one.
     */
    public RpcAddress shell(CommandSession session, String id, Optional<String> given) throws InterruptedException {
        CommandCall call = CommandCall.ofOption(session, "--to " + id);
        try (OpenView view = open(call, given, "shell of " + id)) {
            return ProcessLookup.shell(call, ProcessLookup.list(view), id);
        }
    }

    private Optional<ClusterView> own() {
        return views.stream().filter(view -> view.own().isPresent()).findFirst();
    }

    /** Master of the applications of this process; empty if there are none, or several with different masters. */
    private Optional<MasterUrl> ofApplication() {
        List<String> masters = ApplicationLookup.present(applications).stream()
                .map(application -> application.status().application().master())
                .distinct()
                .toList();
        return masters.size() == 1 ? Optional.of(MasterUrl.parse(masters.get(0))) : Optional.empty();
    }

    private MasterUrl master(CommandCall call, Optional<String> given) {
        return given.map(MasterUrl::parse)
                .or(() -> own().flatMap(ClusterView::own))
                .or(this::ofApplication)
                .or(() -> call.need(kernel, KernelInfo.class)
                        .settings()
                        .find(MASTER)
                        .map(MasterUrl::parse))
                .orElseThrow(() -> call.misused("no master (expected: --master URL, the setting " + MASTER
                        + ", or a process of the cluster, as in --to HOST:PORT of its master)"));
    }

    private ClusterConnection connect(CommandCall call) {
        KernelInfo process = call.need(kernel, KernelInfo.class);
        return ClusterConnection.open(
                call.need(rpcs, RpcEnvFactory.class),
                process.settings(),
                process.home(),
                new CompletableFuture<>(),
                failure -> LOG.error("question to a cluster", failure));
    }

    /** View that this process registers itself. */
    private record OwnView(ClusterView view) implements OpenView {
        @Override
        public <T> T ask(Function<ClusterView, CompletionStage<T>> question) throws InterruptedException {
            try {
                return question.apply(view).toCompletableFuture().get(OWN_ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
            } catch (ExecutionException failure) {
                throw Failures.asHearth(failure, ErrorCode.INTERNAL, "cluster");
            } catch (TimeoutException late) {
                throw ErrorCode.ASK_TIMED_OUT.failure(
                        "cluster of this process: no answer within " + OWN_ANSWER_SECONDS_MAX + " s", late);
            }
        }

        @Override
        public void close() {
            // the process keeps its view
        }
    }

    /** View of a manager, with the connection that it uses. */
    private static final class RemoteView implements OpenView {
        private final PinnedManager pinned;
        private final MasterUrl master;
        private final ClusterConnection connection;
        private @Nullable ClusterView view;

        RemoteView(PinnedManager pinned, MasterUrl master, ClusterConnection connection) {
            this.pinned = pinned;
            this.master = master;
            this.connection = connection;
        }

        @Override
        public <T> T ask(Function<ClusterView, CompletionStage<T>> question) throws InterruptedException {
            return connection.call(services -> {
                ClusterView known = view == null ? pinned.manager().view(master, services) : view;
                view = known;
                return question.apply(known);
            });
        }

        @Override
        public void close() {
            connection.close();
            pinned.close();
        }
    }
}
