package dev.hearth.itests.bench;

import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;

/** How messages reach an endpoint; each is measured on its own, as a variant of the results. A new one is one line. */
enum Delivery {
    LOOP(
            "rpc;loop",
            (env, name, receiver) -> env.register(
                    name, BenchMessages.PROTOCOL, new ThreadEventLoop(name, Throwable::printStackTrace), receiver));

    private final String variant;

    @SuppressWarnings("ImmutableEnumChecker") // one of the lambdas above, which hold nothing
    private final Registering registering;

    Delivery(String variant, Registering registering) {
        this.variant = variant;
        this.registering = registering;
    }

    /** What results call it. */
    String variant() {
        return variant;
    }

    /** The name of the endpoint that is reached so. */
    String endpoint() {
        return variant.replace(';', '-');
    }

    /** Makes {@code receiver} reachable for as long as its env lives. */
    void register(RpcEnv env, RpcEndpoint receiver) {
        registering.register(env, endpoint(), receiver);
    }

    private interface Registering {
        RpcEnv.Registration register(RpcEnv env, String name, RpcEndpoint receiver);
    }
}
