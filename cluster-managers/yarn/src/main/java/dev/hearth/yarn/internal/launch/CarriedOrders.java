package dev.hearth.yarn.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.settings.Secrets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Launch orders of a process in a container, split into those for its environment and those for its credentials. The
 * bundle yarn-container reads both. Immutable; its text form has no secret.
 */
public record CarriedOrders(Map<String, String> environment, Map<String, Bytes> secrets) {
    /** Variable with the text of the orders that are not secret, in base64. */
    public static final String TEXT = "HEARTH_ORDER_TEXT";
    /** Alias of a secret key that is the order with the rest of its name. */
    public static final String SECRET_ORDER = "hearth.order.";
    /** Maximum size of the variable: the ResourceManager stores that of an application master. */
    static final int CHARACTERS_MAX = 8 * 1024;

    public CarriedOrders {
        environment = Map.copyOf(environment);
        secrets = Map.copyOf(secrets);
    }

    /** Splits {@code orders}. Fails with {@code BAD_SETTING} if those for the environment are too long. */
    public static CarriedOrders of(Map<String, String> orders) {
        Map<String, String> open = new LinkedHashMap<>();
        Map<String, Bytes> secrets = secrets(orders, open);
        String text =
                Base64.getEncoder().encodeToString(LaunchOrders.of(open).text().getBytes(UTF_8));
        if (text.length() > CHARACTERS_MAX) {
            throw ErrorCode.BAD_SETTING.failure("settings that a process in a container needs to connect: "
                    + text.length() + " characters in base64 (expected: at most " + CHARACTERS_MAX
                    + "); shorten those of "
                    + open.keySet());
        }
        return new CarriedOrders(Map.of(TEXT, text), secrets);
    }

    /** Puts the orders that are no secrets into {@code open}, and returns the others by the aliases of their keys. */
    public static Map<String, Bytes> secrets(Map<String, String> orders, Map<String, String> open) {
        Map<String, Bytes> secrets = new LinkedHashMap<>();
        orders.forEach((key, value) -> {
            if (!value.isEmpty()
                    && (Secrets.isSecret(key) || !Secrets.shown(key, value).equals(value))) {
                secrets.put(SECRET_ORDER + key, Bytes.owning(value.getBytes(UTF_8)));
            } else {
                open.put(key, value);
            }
        });
        return secrets;
    }

    @Override
    public String toString() {
        return environment.keySet() + " and secrets " + secrets.keySet();
    }
}
