package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.allocator.AllocationEffect;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One context's executors on YARN: passes the driver's calls to the {@link YarnApplication}, builds launches, and reports to
 * the driver. Owned by the event loop of that driver.
 */
public final class YarnBackend implements SchedulerBackend {
    private static final Logger LOG = LoggerFactory.getLogger(YarnBackend.class);

    /** Kind of the tokens for receivers in executors. */
    private static final String TOKENS = "hadoop";

    private final YarnApplication application;
    private final int number;
    private final DriverServices driver;
    private final ContextSetup setup;
    private final ContainerPages pages;
    private final Map<ProfileId, ExecutorNeeds> needs = new LinkedHashMap<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean closing;

    YarnBackend(YarnApplication application, int number, DriverServices driver, ContextSetup setup) {
        this.application = application;
        this.number = number;
        this.driver = driver;
        this.setup = setup;
        this.pages = new ContainerPages(application.identity());
    }

    @Override
    public ApplicationId application() {
        return application.identity().ofContext(number);
    }

    @Override
    public Optional<String> attempt() {
        return application.identity().inCluster() ? application.attempt().map(String::valueOf) : Optional.empty();
    }

    @Override
    public ApplicationLinks links() {
        return setup.links();
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        demands.keySet()
                .forEach(profile ->
                        needs.computeIfAbsent(profile, added -> setup.needs().apply(driver.profile(added))));
        application.want(
                number, new LinkedHashMap<>(demands), new LinkedHashMap<>(needs), new LinkedHashSet<>(excludedHosts));
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        application.release(number, List.copyOf(executors), reason);
    }

    @Override
    public void registered(ExecutorId executor) {
        application.arrived(number, executor);
    }

    @Override
    public void doubted(ExecutorId executor) {
        application.doubted(number, executor);
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        if (!closing) {
            closing = true;
            application.close(this, result).whenComplete((nothing, failure) -> closed.complete(null));
        }
        return closed.copy();
    }

    int number() {
        return number;
    }

    ContextSetup setup() {
        return setup;
    }

    /** Reports an executor as started, and builds its launch. */
    void start(AllocationEffect.Start effect) {
        driver.loop().execute(() -> {
            if (closing) {
                return;
            }
            ExecutorProfile profile = driver.profile(effect.profile());
            int cores = profile.cores()
                    .orElseGet(() -> requireNeeds(effect.profile()).capability().cores());
            driver.listener().started(pages.start(effect.executor(), cores, effect.profile(), effect.container()));
            launch(effect.container(), effect.executor(), profile);
        });
    }

    /** Gives tokens to all executors of the context, present and later ones. */
    void tokens(Bytes content) {
        driver.loop().execute(() -> {
            if (!closing) {
                driver.credentials(TOKENS, content);
            }
        });
    }

    private ExecutorNeeds requireNeeds(ProfileId profile) {
        return needs.computeIfAbsent(profile, added -> setup.needs().apply(driver.profile(added)));
    }

    private void launch(GrantedContainer container, ExecutorId executor, ExecutorProfile profile) {
        ContainerLaunch launch;
        try {
            launch = setup.launches().launch(container, executor, profile);
        } catch (RuntimeException failure) {
            LOG.warn("executor {}: no launch for container {}", executor, container.id(), failure);
            application.launchFailed(container, Failures.describe(failure));
            return;
        }
        application.launch(container, launch);
    }

    void lost(AllocationEffect.Lost effect) {
        LostExecutor why = effect.why();
        LostExecutor withLogs = why.cause() == LostExecutor.Cause.RELEASED
                ? why
                : new LostExecutor(
                        why.cause(),
                        why.reason(),
                        why.exitStatus(),
                        List.copyOf(pages.logs(effect.container()).values()));
        report(listener -> listener.lost(effect.executor(), withLogs));
    }

    /** Reports to the driver in an action of its own, unless the context is closing. */
    void report(Consumer<ExecutorListener> event) {
        driver.loop().execute(() -> {
            if (!closing) {
                event.accept(driver.listener());
            }
        });
    }
}
