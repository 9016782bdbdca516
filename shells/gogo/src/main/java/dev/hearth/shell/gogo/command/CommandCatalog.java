package dev.hearth.shell.gogo.command;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.felix.gogo.runtime.CommandProxy;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.felix.service.command.Parameter;

/**
 * Commands of a shell session with their descriptions. A description is the {@code @Descriptor} of the command's
 * method: the first line is the purpose, the others are the usage and examples. For a command without one, the usage is
 * derived from the parameters of its methods. Stateless.
 */
public final class CommandCatalog {
    /** Name of the variable of a gogo session that contains the names of all commands. */
    private static final String COMMANDS = ".commands";
    /** Commands for programs, and those that gogo itself registers. */
    private static final Set<String> HIDDEN =
            Set.of("hearth:complete", "osgi:addcommand", "osgi:removecommand", "osgi:eval");
    /** Scopes of Hearth whose commands are always shown with the scope, because it is half of their name. */
    private static final Set<String> SHOWN_SCOPES = Set.of("log");

    /** Method that gogo calls for any function of its service, such as one whose name is no name of Java. */
    private static final String MAIN = "_main";

    private CommandCatalog() {}

    /** Returns the names of all commands, in the form {@code scope:command}. */
    public static NavigableSet<String> names(CommandSession session) {
        NavigableSet<String> names = new TreeSet<>();
        if (session.get(COMMANDS) instanceof Collection<?> all) {
            all.stream()
                    .map(Object::toString)
                    .filter(name -> !HIDDEN.contains(name.toLowerCase(Locale.ROOT)))
                    .forEach(names::add);
        }
        return names;
    }

    /** Returns the descriptions of all commands, by name in the form {@code scope:command}. */
    public static SortedMap<String, String> described(CommandSession session) {
        SortedMap<String, String> described = new TreeMap<>();
        for (String name : names(session)) {
            if (session.get(name) instanceof CommandProxy proxy) {
                description(proxy, function(name)).ifPresent(text -> described.put(name, text));
            }
        }
        return described;
    }

    /**
     * Returns the name by which a user calls the command {@code name} of {@code all}: without its scope, unless another
     * command has the same name.
     */
    public static String shortName(String name, Collection<String> all) {
        String scope = name.substring(0, Math.max(0, name.indexOf(':')));
        if (scope.equals(CommandCall.SCOPE)) {
            return function(name);
        }
        boolean isUnique = all.stream()
                        .filter(other -> function(other).equals(function(name)))
                        .count()
                == 1;
        return isUnique && !SHOWN_SCOPES.contains(scope) ? function(name) : name;
    }

    /** Returns the command of {@code all} that a user calls by {@code name}, in the form {@code scope:command}. */
    public static Optional<String> find(String name, Collection<String> all) {
        if (name.contains(":")) {
            return all.stream().filter(name::equals).findFirst();
        }
        String ours = CommandCall.SCOPE + ":" + name;
        return all.contains(ours)
                ? Optional.of(ours)
                : all.stream().filter(other -> function(other).equals(name)).findFirst();
    }

    /** Returns the lines of a description that show how to call the command. */
    public static String usage(String description) {
        return description
                .lines()
                .skip(1)
                .filter(line -> !line.startsWith(HelpCommands.EXAMPLE))
                .collect(Collectors.joining("\n"));
    }

    private static String function(String name) {
        return name.substring(name.indexOf(':') + 1);
    }

    private static Optional<String> description(CommandProxy proxy, String function) {
        Object target = proxy.getTarget();
        try {
            if (target == null) {
                return Optional.empty(); // the bundle of the command has been stopped
            }
            List<Method> methods = methods(target, function);
            String signatures = methods.stream()
                    .map(method -> signature(function, method))
                    .distinct()
                    .collect(Collectors.joining("\n"));
            return Optional.of(methods.stream()
                    .map(method -> method.getAnnotation(Descriptor.class))
                    .flatMap(Stream::ofNullable)
                    .map(Descriptor::value)
                    .findFirst()
                    .map(text -> text.contains("\n") ? text : text + "\n" + signatures)
                    .orElse("Command without a description.\n" + signatures));
        } finally {
            proxy.ungetTarget();
        }
    }

    /** Returns the methods that gogo calls for {@code function}: those of that name, or {@code _main}. */
    private static List<Method> methods(Object target, String function) {
        Set<String> names = Set.of(
                function.toLowerCase(Locale.ROOT),
                "_" + function.toLowerCase(Locale.ROOT),
                "get" + function.toLowerCase(Locale.ROOT),
                "is" + function.toLowerCase(Locale.ROOT),
                MAIN);
        return Arrays.stream(target.getClass().getMethods())
                .filter(method -> names.contains(method.getName().toLowerCase(Locale.ROOT)))
                .sorted(Comparator.comparing(Method::getParameterCount).thenComparing(Method::toString))
                .toList();
    }

    /** Returns a line such as {@code hello TEXT NUMBER}. */
    private static String signature(String function, Method method) {
        List<String> words = new ArrayList<>(List.of(function));
        for (java.lang.reflect.Parameter parameter : method.getParameters()) {
            Parameter option = parameter.getAnnotation(Parameter.class);
            if (option != null) {
                String value = option.presentValue().equals(Parameter.UNSPECIFIED) ? " " + kind(parameter) : "";
                words.add("[" + option.names()[0] + value + "]");
            } else if (!CommandSession.class.isAssignableFrom(parameter.getType())) {
                words.add(kind(parameter));
            }
        }
        return String.join(" ", words);
    }

    private static String kind(java.lang.reflect.Parameter parameter) {
        Class<?> type = parameter.getType();
        boolean isRepeated = type.isArray() || Collection.class.isAssignableFrom(type);
        Class<?> single = type.isArray() ? type.getComponentType() : type;
        String kind = single.isPrimitive()
                ? Array.get(Array.newInstance(single, 1), 0).getClass().getSimpleName()
                : single.getSimpleName();
        String word = switch (kind) {
            case "Byte", "Short", "Integer", "Long", "Float", "Double" -> "NUMBER";
            case "Boolean" -> "true|false";
            case "File", "Path" -> "FILE";
            case "String", "CharSequence", "Object", "Character", "List", "Collection" -> "TEXT";
            default -> kind.toUpperCase(Locale.ROOT);
        };
        return isRepeated ? "[" + word + "...]" : word;
    }
}
