package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Source from which this process takes its launch orders, and the arguments of its role without those that name the
 * source. {@code name} is the path of a file, or the name of a service. Immutable.
 */
record OrdersChoice(Kind kind, String name, List<String> arguments) {
    /** Kind of source of launch orders. */
    enum Kind {
        /** The role takes no orders. */
        NONE,
        /** Standard input, on which the parent process writes them. */
        PARENT,
        FILE,
        /** An {@link dev.hearth.spi.role.OrdersSource} that a bundle registers. */
        SERVICE
    }

    static final String PROPERTY = "hearth.orders";
    static final String VARIABLE = "HEARTH_ORDERS";
    private static final String FLAG = "--orders";
    private static final String SERVICE = "service";
    private static final String WAYS =
            FLAG + " FILE, -D" + PROPERTY + "=FILE or the variable " + VARIABLE + ", which all take service too";

    OrdersChoice {
        arguments = List.copyOf(arguments);
    }

    /**
     * Chooses the source for a process of {@code role}. A parent that writes orders comes first, then the flag, the
     * system property and the environment variable. Fails with {@code BAD_ARGUMENT} if the role takes orders and none
     * of these names a source.
     */
    static OrdersChoice of(
            Role role,
            boolean fromParent,
            List<String> arguments,
            Optional<String> property,
            Optional<String> variable) {
        if (fromParent) {
            return new OrdersChoice(Kind.PARENT, "", arguments);
        }
        if (!role.orders()) {
            return new OrdersChoice(Kind.NONE, "", arguments);
        }
        List<String> rest = new ArrayList<>();
        Optional<String> flag = Optional.empty();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals(FLAG)) {
                flag = Optional.of(i + 1 < arguments.size() ? arguments.get(++i) : "");
            } else if (argument.startsWith(FLAG + "=")) {
                flag = Optional.of(argument.substring(FLAG.length() + 1));
            } else {
                rest.add(argument);
            }
        }
        String text = flag.or(() -> property)
                .or(() -> variable.filter(given -> !given.isBlank()))
                .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure("role " + role.name()
                        + ": no launch orders (expected: " + WAYS
                        + "); applications are started by bin/submit, and executors by their cluster manager"));
        return of(text, rest);
    }

    private static OrdersChoice of(String text, List<String> rest) {
        if (text.isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure("source of launch orders: empty (expected: " + WAYS + ")");
        }
        if (text.equals(SERVICE)) {
            return new OrdersChoice(Kind.SERVICE, "", rest);
        }
        return text.startsWith(SERVICE + ":")
                ? new OrdersChoice(Kind.SERVICE, text.substring(SERVICE.length() + 1), rest)
                : new OrdersChoice(Kind.FILE, text, rest);
    }

    /** Refuses {@code given}, arguments of a process without a parent, because a cluster manager gives orders instead. */
    void requireNoOthers(Role role, List<String> given) {
        if (isWithoutParent() && !given.isEmpty()) {
            throw ErrorCode.BAD_ARGUMENT.failure("role " + role.name() + ": " + given
                    + " (expected: --orders FILE, --conf key=value or --properties-file FILE); see bin/hearth "
                    + role.name() + " --help");
        }
    }

    /** Whether no parent process watches over this one, so that it ends by itself or by a signal. */
    boolean isWithoutParent() {
        return kind == Kind.FILE || kind == Kind.SERVICE;
    }
}
