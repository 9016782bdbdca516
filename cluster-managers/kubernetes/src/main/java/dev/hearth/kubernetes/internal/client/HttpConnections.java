package dev.hearth.kubernetes.internal.client;

import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * HTTP clients of one API server. There is one for the current TLS context; when certificates change, requests go to a
 * new client, and the old one is closed after its last request. Owns the clients under its lock. Closed by the last of
 * its users.
 */
final class HttpConnections implements AutoCloseable {
    private static final int IDLE_SECONDS = 2;

    private final ServerTarget target;
    private final RenewedAccess access;
    private final ThreadPoolExecutor threads;
    private final Set<Client> clients = new LinkedHashSet<>(); // guarded by this
    private @Nullable Client current; // guarded by this
    private int users = 1; // guarded by this
    private boolean closed; // guarded by this

    HttpConnections(ServerTarget target, RenewedAccess access) {
        this.target = target;
        this.access = access;
        AtomicInteger number = new AtomicInteger();
        // they are as many as the library asks for, and end by themselves
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "hearth-kubernetes-http-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    thread.setContextClassLoader(HttpConnections.class.getClassLoader()); // not the application's
                    return thread;
                });
    }

    String address() {
        return target.address();
    }

    Duration requestTimeout() {
        return target.requestTimeout();
    }

    /** Opens the use of a client for one request; fails with {@link IOException} if there are no credentials. */
    CompletionStage<Use> use() {
        return access.current().thenApply(this::use);
    }

    /** As {@link #use()}, with the credentials that came after those of {@code refused}; empty if there are none. */
    CompletionStage<Optional<Use>> useAfter(Use refused) {
        return access.after(refused.held.serial()).thenApply(newer -> newer.map(this::use));
    }

    private synchronized Use use(Renewal.Held<Access> held) {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        Client client = current;
        if (client == null || client.tls != held.value().tls()) {
            Client before = client;
            client = new Client(held.value().tls());
            clients.add(client);
            current = client;
            if (before != null) {
                closeIfDrained(before);
            }
        }
        client.uses++;
        return new Use(client, held);
    }

    private HttpClient build(Tls tls) {
        HttpClient.Builder builder = new Factory(target, tls, threads).newBuilder();
        builder.connectTimeout(target.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .preferHttp11();
        builder.tag(new RequestConfigBuilder()
                .withRequestRetryBackoffLimit(0) // a request that is repeated unseen could create a pod twice
                .build());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(HttpConnections.class.getClassLoader()); // its selector thread inherits it
        try {
            return builder.build();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private synchronized void end(Client client) {
        client.uses--;
        if (client != current) {
            closeIfDrained(client);
        }
    }

    private void closeIfDrained(Client client) {
        if (client.uses == 0 && clients.remove(client)) {
            client.close();
        }
    }

    /** The number of clients that are open. */
    synchronized int open() {
        return clients.size();
    }

    /** Adds a user, who calls {@link #close}; returns false if the last one has closed. */
    synchronized boolean share() {
        if (!closed) {
            users++;
        }
        return !closed;
    }

    /** Ends the use by one user. */
    @Override
    public void close() {
        synchronized (this) {
            users--;
            if (closed || users > 0) {
                return;
            }
            closed = true;
        }
        access.close();
        synchronized (this) {
            current = null;
            clients.forEach(Client::close);
            clients.clear();
        }
    }

    /** Client of one TLS context, with the number of its requests that are under way. Watches and streams have one of the library. */
    private final class Client {
        private final Tls tls;
        private final RequestConnections requests;
        private @Nullable HttpClient http; // guarded by this, null until there is a watch
        private int uses; // guarded by the connections

        Client(Tls tls) {
            this.tls = tls;
            this.requests = new RequestConnections(target, tls, threads);
        }

        synchronized HttpClient http() {
            HttpClient made = http;
            if (made == null) {
                made = build(tls);
                http = made;
            }
            return made;
        }

        synchronized void close() {
            requests.close();
            if (http != null) {
                http.close();
            }
        }
    }

    /** Use of a client for one request. Close it after the last byte of the response; closing it again does nothing. */
    final class Use implements AutoCloseable {
        private final Client client;
        private final Renewal.Held<Access> held;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Use(Client client, Renewal.Held<Access> held) {
            this.client = client;
            this.held = held;
        }

        HttpClient http() {
            return client.http();
        }

        /** Sends a request with the credentials. */
        CompletableFuture<ApiResponse> send(ApiRequest request) {
            return client.requests.send(request, held.value().authorization());
        }

        /** Adds the credentials to a request, and what all requests have in common. */
        <B extends BasicBuilder> B authorize(B request) {
            String authorization = held.value().authorization();
            if (!authorization.isEmpty()) {
                request.setHeader("Authorization", authorization);
            }
            target.headers().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
            return request;
        }

        @Override
        public void close() {
            if (ended.compareAndSet(false, true)) {
                end(client);
            }
        }
    }

    /** Makes clients of the JDK that follow no redirects, so that a request and its credentials go to one server. */
    private static final class Factory extends JdkHttpClientFactory {
        private final ServerTarget target;
        private final Tls tls;
        private final ThreadPoolExecutor threads;

        Factory(ServerTarget target, Tls tls, ThreadPoolExecutor threads) {
            this.target = target;
            this.tls = tls;
            this.threads = threads;
        }

        @Override
        protected java.net.http.HttpClient.Builder createNewHttpClientBuilder() {
            return java.net.http.HttpClient.newBuilder(); // without a pool of its own
        }

        @Override
        protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
            builder.executor(threads)
                    .followRedirects(java.net.http.HttpClient.Redirect.NEVER)
                    .proxy(target.proxy().map(ProxySelector::of).orElse(java.net.http.HttpClient.Builder.NO_PROXY));
            builder.sslContext(
                    target.serverName().isEmpty()
                            ? tls.context()
                            : NamedTls.context(tls.context(), target.serverName()));
        }
    }
}
