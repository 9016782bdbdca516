package dev.hearth.submission.internal.gateway;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ClusterConnection;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionGateway;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import dev.hearth.submission.api.ResourceSchemes;
import dev.hearth.submission.api.SubmissionRequest;
import dev.hearth.submission.api.SubmitArguments;
import dev.hearth.submission.internal.gateway.GatewayRequests.Admission;
import dev.hearth.submission.internal.gateway.GatewayRequests.Outcome;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits applications for other processes. {@link GatewayRequests} decides which connection a request uses; this class
 * opens, uses and closes it. The lock of this object guards both, and is never held during a call of a cluster manager.
 */
@Component(service = SubmissionGateway.class)
public final class ResidentGateway implements SubmissionGateway {
    private static final Logger LOG = LoggerFactory.getLogger(ResidentGateway.class);
    private static final String HOLDER = "submission gateway";

    /** Failures after which the connection is not used again. */
    private static final Set<ErrorCode> OF_CONNECTIONS = Set.of(
            ErrorCode.CLUSTER_UNREACHABLE, ErrorCode.CLUSTER_LOST, ErrorCode.PEER_LOST, ErrorCode.PEER_UNREACHABLE);

    private final ClusterManagers managers;
    private final RpcEnvFactory rpcs;
    private final FileStoreRegistry stores;
    private final ForeignRequests requests;
    private final Settings settings;
    private final Path home;
    private final GatewaySettings bounds;
    private final Ticker ticker;
    private final GatewayRequests<Provider> state;
    private final Map<Long, GatewayLink> links = new LinkedHashMap<>();
    private final List<ClusterClient> clients = new CopyOnWriteArrayList<>();
    private boolean closed;

    @Activate
    public ResidentGateway(
            @Reference ClusterManagers managers,
            @Reference RpcEnvFactory rpcs,
            @Reference FileStoreRegistry stores,
            @Reference DeclaredSettings declared,
            @Reference InstalledRules rules,
            @Reference KernelInfo kernel) {
        this(managers, rpcs, stores, declared, rules, kernel.settings(), kernel.home(), Ticker.system());
    }

    ResidentGateway(
            ClusterManagers managers,
            RpcEnvFactory rpcs,
            FileStoreRegistry stores,
            DeclaredSettings declared,
            InstalledRules rules,
            Settings settings,
            Path home,
            Ticker ticker) {
        this.managers = managers;
        this.rpcs = rpcs;
        this.stores = stores;
        this.requests = new ForeignRequests(new CachedRules(rules, ticker), declared, settings);
        this.settings = settings;
        this.home = home;
        this.bounds = GatewaySettings.from(settings);
        this.ticker = ticker;
        this.state = new GatewayRequests<>(bounds);
    }

    /** Provider of a cluster: its master in this process, or else its manager. Compared by identity. */
    private record Provider(Optional<ClusterClient> own, Optional<ClusterManager> manager) {
        static Provider of(Optional<ClusterClient> own, ClusterManager manager) {
            return new Provider(own, own.isPresent() ? Optional.empty() : Optional.of(manager));
        }
    }

    /** Client of a master in this process. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    public void addClient(ClusterClient client) {
        clients.add(client);
    }

    /** Forgets the client of a master whose bundle stops. */
    public void removeClient(ClusterClient client) {
        clients.remove(client);
    }

    @Override
    public CompletionStage<SubmissionId> submit(SubmissionPlan plan, MasterUrl master) {
        return submit(new SubmissionRequest.Submit(plan, master, DeployMode.CLUSTER, false, false));
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            List<String> arguments, Settings given, Map<String, String> environment, String requestId) {
        SubmissionRequest.Submit planned;
        try {
            planned = requests.plan(arguments, given, environment, own());
        } catch (HearthException refused) {
            return CompletableFuture.failedStage(refused);
        }
        SubmissionPlan plan = planned.plan().but().requestId(requestId).build();
        return submit(new SubmissionRequest.Submit(plan, planned.master(), DeployMode.CLUSTER, false, false));
    }

    private CompletionStage<SubmissionId> submit(SubmissionRequest.Submit request) {
        // an id of its own lets a client of the cluster repeat the request when a connection was lost
        SubmissionPlan plan = request.plan().requestId().isEmpty()
                ? request.plan().but().requestId(UUID.randomUUID().toString()).build()
                : request.plan();
        return ask(
                request.master(), Outcome.ACCEPTED, manager -> check(request, manager), client -> client.submit(plan));
    }

    private void check(SubmissionRequest.Submit request, ClusterManager manager) {
        SubmitArguments.requireOffered(request, manager);
        ResourceSchemes.require(
                request.plan(), () -> manager.rules(request.master()).fileSchemes(request.mode()), stores);
        manager.check(request.plan(), request.master(), request.mode());
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern, MasterUrl master) {
        return listed(ask(master, Outcome.ANSWERED, manager -> {}, client -> client.status(pattern)));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern, MasterUrl master) {
        return listed(ask(master, Outcome.ANSWERED, manager -> {}, client -> client.kill(pattern)));
    }

    @Override
    public CompletionStage<Integer> clear(MasterUrl master) {
        return ask(master, Outcome.ANSWERED, manager -> {}, ClusterClient::clear);
    }

    @Override
    public CompletionStage<UploadStatus> held(ContentId content, MasterUrl master) {
        return named(master, ask(master, Outcome.ANSWERED, manager -> {}, client -> client.held(content)));
    }

    @Override
    public CompletionStage<UploadStatus> take(ContentPiece piece, MasterUrl master) {
        return named(master, ask(master, Outcome.ANSWERED, manager -> {}, client -> client.take(piece)));
    }

    /** Returns the answer of {@code asked}; a cluster that takes no files is named in its failure. */
    private static CompletionStage<UploadStatus> named(MasterUrl master, CompletionStage<UploadStatus> asked) {
        return asked.exceptionallyCompose(failure -> CompletableFuture.failedStage(
                Failures.code(failure) == ErrorCode.STREAM_MISSING
                        ? ErrorCode.STREAM_MISSING.failure(
                                "cluster " + master + ": takes no files through another process (expected: a standalone"
                                        + " cluster); submit to it without --via, or set hearth.submit.upload=never if"
                                        + " the machine of the driver has the files",
                                failure)
                        : failure));
    }

    /** Returns the answer of {@code asked}, or an empty one if the cluster knows no such submission. */
    private static CompletionStage<List<SubmissionStatus>> listed(CompletionStage<List<SubmissionStatus>> asked) {
        return asked.handle((found, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(found);
                    }
                    return Failures.code(failure) == ErrorCode.SUBMISSION_UNKNOWN
                            ? CompletableFuture.completedStage(List.<SubmissionStatus>of())
                            : CompletableFuture.<List<SubmissionStatus>>failedStage(failure);
                })
                .thenCompose(stage -> stage);
    }

    /** Asks the cluster {@code master}, whose manager stays available until the answer. */
    private <T> CompletionStage<T> ask(
            MasterUrl master,
            Outcome success,
            Consumer<ClusterManager> check,
            Function<ClusterClient, CompletionStage<T>> call) {
        PinnedManager pinned;
        try {
            pinned = managers.pin(master, HOLDER);
        } catch (HearthException none) {
            return CompletableFuture.failedStage(none);
        }
        Admission admission;
        GatewayLink link;
        try {
            pinned.manager().validate(master);
            check.accept(pinned.manager());
            Provider provider = Provider.of(ownClient(master), pinned.manager());
            synchronized (this) {
                requireOpen();
                admission = state.begin(master.text(), provider);
                link = admission.opens() ? open(admission, provider, master) : linkOf(admission);
            }
        } catch (HearthException refused) {
            pinned.close();
            return CompletableFuture.failedStage(refused);
        } catch (RuntimeException | Error failure) {
            pinned.close();
            throw failure;
        }
        CompletableFuture<T> answered = new CompletableFuture<>();
        ask(link, call).whenComplete((answer, failure) -> {
            end(admission, success, failure);
            pinned.close();
            if (failure == null) {
                answered.complete(answer);
            } else {
                answered.completeExceptionally(Failures.asHearth(failure, ErrorCode.INTERNAL, "submission"));
            }
        });
        return answered;
    }

    /** Calls foreign code, which may throw instead of failing its stage. */
    private static <T> CompletionStage<T> ask(GatewayLink link, Function<ClusterClient, CompletionStage<T>> call) {
        try {
            return link.ask(call);
        } catch (Throwable failure) {
            return CompletableFuture.failedStage(failure);
        }
    }

    private void end(Admission admission, Outcome success, @Nullable Throwable failure) {
        ErrorCode code = failure == null ? null : Failures.code(failure);
        Outcome outcome = success;
        if (code != null && success == Outcome.ACCEPTED) {
            outcome = code == ErrorCode.SUBMISSION_REFUSED ? Outcome.REFUSED : Outcome.FAILED;
        }
        List<GatewayLink> closing;
        synchronized (this) {
            closing =
                    taken(state.end(admission, outcome, code != null && OF_CONNECTIONS.contains(code), ticker.nanos()));
        }
        closing.forEach(GatewayLink::close);
    }

    private GatewayLink open(Admission admission, Provider provider, MasterUrl master) {
        GatewayLink link = provider.own().map(GatewayLink::own).orElseGet(() -> {
            ClusterConnection connection = ClusterConnection.open(
                    rpcs, settings, home, new CompletableFuture<>(), failure -> LOG.error("submissions", failure));
            return GatewayLink.over(connection, managers.pin(master, HOLDER), master);
        });
        links.put(admission.connection(), link);
        link.after(bounds.idleMax(), () -> expire(link));
        return link;
    }

    /** Closes the connections that no request has used for the idle time. */
    void expire() {
        List<GatewayLink> closing;
        synchronized (this) {
            closing = taken(state.expire(ticker.nanos()));
        }
        closing.forEach(GatewayLink::close);
    }

    private void expire(GatewayLink link) {
        expire();
        link.after(bounds.idleMax(), () -> expire(link)); // does nothing if the link is closed now
    }

    private List<GatewayLink> taken(List<Long> connections) {
        return connections.stream().map(links::remove).filter(Objects::nonNull).toList();
    }

    @Deactivate
    void close() {
        List<GatewayLink> closing;
        synchronized (this) {
            closed = true;
            closing = taken(state.closeAll());
        }
        closing.forEach(GatewayLink::close);
    }

    private GatewayLink linkOf(Admission admission) {
        return Objects.requireNonNull(links.get(admission.connection()), "a link that is in use");
    }

    private void requireOpen() {
        if (closed) {
            throw ErrorCode.SUBMISSION_REFUSED.failure(
                    "submissions: this process ends (expected: a process that goes on); submit to another one");
        }
    }

    private Optional<ClusterClient> ownClient(MasterUrl master) {
        return clients.stream()
                .filter(client -> client.own().filter(master::equals).isPresent())
                .findFirst();
    }

    @Override
    public Optional<MasterUrl> own() {
        return clients.stream().flatMap(client -> client.own().stream()).findFirst();
    }

    @Override
    public MasterUrl master() {
        return own().or(() -> settings.find(ApplicationSettings.MASTER.name()).map(MasterUrl::parse))
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure(
                        "master: none named (expected: a cluster such as hearth://127.0.0.1:7077); name it in the"
                                + " request, or set hearth.master in the process that submits"));
    }

    @Override
    public String state() {
        return clients.stream()
                .filter(client -> client.own().isPresent())
                .map(ClusterClient::state)
                .findFirst()
                .orElse(ClusterClient.ALIVE);
    }

    @Override
    public synchronized List<ClusterCounts> counts() {
        return state.counts();
    }
}
