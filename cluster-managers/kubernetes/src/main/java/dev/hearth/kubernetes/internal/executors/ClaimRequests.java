package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import dev.hearth.kubernetes.internal.volumes.VolumeEffect;
import dev.hearth.spi.loop.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the requests about claims of one application, and passes the answers to its allocator. Owned by the backend. */
final class ClaimRequests implements VolumeEffect.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimRequests.class);

    private final ApiServer server;
    private final EventLoop loop;
    private final ExecutorClaims claims;
    private final ExecutorPods pods;
    private final Supplier<Holder> holder;
    private final PodAllocator allocator;
    private final Consumer<List<AllocatorEffect>> then;

    /** Owner of new claims, and the epoch of the driver that creates them. */
    record Holder(Owner owner, long epoch) {}

    /** {@code holder} owns the claims at first; {@code then} carries out what the allocator decides. */
    ClaimRequests(
            ApiServer server,
            EventLoop loop,
            ExecutorClaims claims,
            ExecutorPods pods,
            Supplier<Holder> holder,
            PodAllocator allocator,
            Consumer<List<AllocatorEffect>> then) {
        this.server = server;
        this.loop = loop;
        this.claims = claims;
        this.pods = pods;
        this.holder = holder;
        this.allocator = allocator;
        this.then = then;
    }

    @Override
    public void onCreateClaim(VolumeEffect.CreateClaim effect) {
        Holder now = holder.get();
        ApiObject claim = claims.claim(effect.claim(), now.epoch(), effect.spec(), now.owner());
        String nonce = claim.labels().getOrDefault(Placement.NONCE, "");
        server.create(
                claim,
                answer -> later(at -> {
                    boolean ours = answer instanceof Answer.Exists exists
                            && exists.object().label(Placement.NONCE).equals(nonce);
                    return allocator.claimCreated(effect.claim(), answer, ours, at);
                }));
    }

    @Override
    public void onListClaims(VolumeEffect.ListClaims effect) {
        list("", new ArrayList<>());
    }

    private void list(String next, List<ObjectFacts> found) {
        server.list(
                Resource.PERSISTENT_VOLUME_CLAIM,
                claims.selector(),
                next,
                answer -> loop.execute(() -> {
                    if (answer instanceof Answer.Page page) {
                        found.addAll(page.objects());
                        if (page.next().isEmpty()) {
                            event(volumes -> volumes.listed(found, now()));
                        } else {
                            list(page.next(), found);
                        }
                    } else {
                        event(volumes -> volumes.notListed(answer, now()));
                    }
                }));
    }

    @Override
    public void onDeleteClaim(VolumeEffect.DeleteClaim effect) {
        server.delete(
                Resource.PERSISTENT_VOLUME_CLAIM,
                claims.name(effect.claim()),
                Optional.empty(),
                OptionalInt.empty(),
                answer -> loop.execute(() -> event(volumes -> volumes.deleted(effect.claim(), answer, now()))));
    }

    @Override
    public void onOwnClaims(VolumeEffect.OwnClaims effect) {
        String pod = pods.podName(effect.executor());
        server.read(
                Resource.POD,
                pod,
                answer -> loop.execute(() -> {
                    if (answer instanceof Answer.Done done && done.object().isPresent()) {
                        own(effect, new Owner("Pod", pod, done.object().get().uid()), 0);
                    } else {
                        event(volumes -> volumes.owned(effect.executor(), answer, now()));
                    }
                }));
    }

    /** Patches the claims one after the other. */
    private void own(VolumeEffect.OwnClaims effect, Owner owner, int index) {
        server.patch(
                Resource.PERSISTENT_VOLUME_CLAIM,
                claims.name(effect.claims().get(index)),
                pods.adoption(owner),
                answer -> loop.execute(() -> {
                    if (answer instanceof Answer.Done
                            && index + 1 < effect.claims().size()) {
                        own(effect, owner, index + 1);
                    } else {
                        event(volumes -> volumes.owned(effect.executor(), answer, now()));
                    }
                }));
    }

    @Override
    public void onWarn(VolumeEffect.Warn effect) {
        LOG.warn("{}", effect.words());
    }

    private void event(Consumer<SlotVolumes> event) {
        then.accept(allocator.volumes(event, now()));
    }

    private void later(LongFunction<List<AllocatorEffect>> event) {
        loop.execute(() -> then.accept(event.apply(now())));
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
