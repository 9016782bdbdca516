package dev.hearth.testkit;

import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.stream.Streams;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * RPC environment whose methods fail the test unless a subclass overrides them. It is for tests of components that use
 * only few of its methods.
 */
public abstract class TestingRpcEnv implements RpcEnv {
    @Override
    public String name() {
        throw unexpected("name");
    }

    @Override
    public Optional<RpcAddress> address() {
        throw unexpected("address");
    }

    @Override
    public RpcScope scope(String name, Optional<Secret> secret) {
        throw unexpected("scope " + name);
    }

    @Override
    public Registration register(String endpoint, Protocol protocol, Dispatch dispatch, RpcEndpoint receiver) {
        throw unexpected("register " + endpoint);
    }

    @Override
    public Registration serve(String prefix, HttpHandler handler) {
        throw unexpected("serve " + prefix);
    }

    @Override
    public CompletionStage<Peer> connect(RpcAddress address) {
        throw unexpected("connect " + address);
    }

    @Override
    public CompletionStage<Peer> self() {
        throw unexpected("self");
    }

    @Override
    public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
        throw unexpected("ref " + endpoint);
    }

    @Override
    public Streams streams() {
        throw unexpected("streams");
    }

    @Override
    public RpcSnapshot snapshot() {
        throw unexpected("snapshot");
    }

    @Override
    public void close() {
        throw unexpected("close");
    }

    private static AssertionError unexpected(String call) {
        return new AssertionError("message system: " + call + " (expected: not called in this test)");
    }
}
