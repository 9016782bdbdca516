package dev.hearth.kubernetes.internal.kubeconfig;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Entry of a user: a token, a name and a password, a certificate and its key, or a plug-in for either; and the user that
 * is impersonated, as headers. Immutable; its text form contains no credentials.
 */
public record UserEntry(
        String name,
        TextSource token,
        String login,
        String password,
        TextSource certificate,
        TextSource key,
        Map<String, List<String>> impersonation,
        Optional<ExecPlugin> plugin) {
    /** User without credentials. */
    public static final UserEntry NONE =
            new UserEntry("", TextSource.NONE, "", "", TextSource.NONE, TextSource.NONE, Map.of(), Optional.empty());

    public UserEntry {
        impersonation = Collections.unmodifiableMap(new LinkedHashMap<>(impersonation));
    }

    /** User that authenticates by {@code token}. */
    public static UserEntry ofToken(TextSource token) {
        return NONE.withToken(token);
    }

    /** The same user with a token in place of its own credentials. */
    public UserEntry withToken(TextSource other) {
        return new UserEntry(name, other, "", "", TextSource.NONE, TextSource.NONE, impersonation, Optional.empty());
    }

    /** The same user with another certificate in place of its own and its plug-in. */
    public UserEntry withCertificate(TextSource otherCertificate, TextSource otherKey) {
        return new UserEntry(name, token, login, password, otherCertificate, otherKey, impersonation, Optional.empty());
    }

    @Override
    public String toString() {
        return "user " + name;
    }
}
