package dev.hearth.rpc.internal.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Key manager with a single certificate, which it presents whatever issuers the remote process accepts. An in-memory
 * key store would work too, but takes longer to create than the key. Methods return null for no result, as the JDK's
 * interface requires. Immutable.
 */
final class SingleIdentityKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "own";

    private final Identity identity;

    SingleIdentityKeyManager(Identity identity) {
        this.identity = identity;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String kind, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return kind.equals(identity.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] kinds, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return List.of(kinds).contains(identity.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String kind, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineServerAlias(kind, issuers, null);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] kinds, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineClientAlias(kinds, issuers, null);
    }

    @Override
    public String[] getServerAliases(String kind, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String[] getClientAliases(String kind, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return identity.key();
    }
}
