package dev.hearth.status.events;

import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.error.ErrorCode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates the listeners that an application names in {@code hearth.extraListeners}; the application provides their
 * classes.
 */
public final class ExtraListeners {
    private static final String KEY = "hearth.extraListeners";

    private ExtraListeners() {}

    /**
     * Creates one listener of each class in {@code names}, found through {@code classes}. If the class has a
     * constructor that takes a map, it receives {@code settings}.
     */
    public static List<ApplicationListener> load(
            List<String> names, ClassLoader classes, Map<String, String> settings) {
        List<ApplicationListener> listeners = new ArrayList<>();
        for (String name : names) {
            listeners.add(load(name, classes, settings));
        }
        return List.copyOf(listeners);
    }

    private static ApplicationListener load(String name, ClassLoader classes, Map<String, String> settings) {
        try {
            Class<? extends ApplicationListener> type =
                    Class.forName(name, true, classes).asSubclass(ApplicationListener.class);
            Optional<Constructor<?>> configured = constructor(type, Map.class);
            Constructor<?> constructor = configured
                    .or(() -> constructor(type))
                    .orElseThrow(() -> ErrorCode.BAD_SETTING.failure(KEY + ": " + name
                            + " (expected: a public class with a public constructor that takes a Map, or nothing)"));
            Object listener = configured.isPresent() ? constructor.newInstance(settings) : constructor.newInstance();
            return type.cast(listener);
        } catch (ClassNotFoundException | NoClassDefFoundError missing) {
            throw ErrorCode.CLASS_MISSING.failure(
                    KEY + ": " + name + " is not found, or needs " + missing.getMessage()
                            + " (expected: a class of the application); is its jar among --jars?",
                    missing);
        } catch (ClassCastException other) {
            throw ErrorCode.BAD_SETTING.failure(
                    KEY + ": " + name + " (expected: a dev.hearth.api.event.ApplicationListener)", other);
        } catch (InvocationTargetException thrown) {
            throw ErrorCode.APPLICATION_FAILED.failure(
                    KEY + ": the constructor of " + name + " threw " + thrown.getCause(), thrown);
        } catch (InstantiationException | IllegalAccessException unfit) {
            throw ErrorCode.BAD_SETTING.failure(
                    KEY + ": " + name + " (expected: a public class that is not abstract)", unfit);
        }
    }

    private static Optional<Constructor<?>> constructor(Class<?> type, Class<?>... parameters) {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (List.of(constructor.getParameterTypes()).equals(List.of(parameters))) {
                return Optional.of(constructor);
            }
        }
        return Optional.empty();
    }
}
