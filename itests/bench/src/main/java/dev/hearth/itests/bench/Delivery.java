package dev.hearth.itests.bench;

import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;

/** How messages reach an endpoint; each is measured on its own, as a variant of the results. A new one is one line. */
enum Delivery {
    INLINE("rpc;inline", Dispatch.inline()),
    DISPATCHER("rpc;dispatcher", Dispatch.shared()),
    OWN_THREAD("rpc;own-thread", Dispatch.ownThread());

    private final String variant;

    @SuppressWarnings("ImmutableEnumChecker") // immutable, as its Javadoc says
    private final Dispatch dispatch;

    Delivery(String variant, Dispatch dispatch) {
        this.variant = variant;
        this.dispatch = dispatch;
    }

    /** Name in results. */
    String variant() {
        return variant;
    }

    /** The name of the endpoint that is reached so. */
    String endpoint() {
        return variant.replace(';', '-');
    }

    /** Makes {@code receiver} reachable for as long as its env lives. */
    void register(RpcEnv env, RpcEndpoint receiver) {
        env.register(endpoint(), BenchMessages.PROTOCOL, dispatch, receiver);
    }
}
