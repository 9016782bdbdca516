package dev.hearth.spi.settings;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Resolves the references to other settings in the value of one setting, recursively. Used once, by one thread. */
final class ReferenceResolver {
    /** Maximum number of references followed for one value, so that nested references cannot take unbounded time. */
    private static final int FOLLOWED_MAX = 1_000;

    private static final int VALUE_CHARACTERS_MAX = 1 << 20;

    private final Map<String, SettingValue> settings;
    private final List<String> chain = new ArrayList<>();
    private int followed;

    ReferenceResolver(Map<String, SettingValue> settings) {
        this.settings = settings;
    }

    String fill(String key, SettingValue setting) throws BadReferenceException {
        chain.add(key);
        StringBuilder text = new StringBuilder();
        for (ValueTemplate.Part part : setting.template().parts()) {
            text.append(
                    switch (part.kind()) {
                        case WORDS, SECRET -> part.text();
                        case UNSET ->
                            setting.isAlias()
                                    ? "${env:" + part.text() + "}"
                                    : refuse(key, setting, notSet("env:" + part.text()));
                        case KEY -> follow(key, setting, part.text());
                    });
            if (text.length() > VALUE_CHARACTERS_MAX) {
                throw bad(key, setting, "at most " + VALUE_CHARACTERS_MAX + " characters, references filled in");
            }
        }
        chain.remove(chain.size() - 1);
        return text.toString();
    }

    /** Whether the value of {@code key} is a secret, or refers to a secret directly or through other keys. */
    boolean isSecret(String key, SettingValue setting) {
        return Secrets.isSecret(key) || refersToSecret(key, setting);
    }

    /** Whether the value of {@code key} refers to a secret, directly or through other keys. */
    boolean refersToSecret(String key, SettingValue setting) {
        chain.add(key);
        for (ValueTemplate.Part part : setting.template().parts()) {
            boolean secret = switch (part.kind()) {
                case WORDS, UNSET -> false;
                case SECRET -> true;
                case KEY -> {
                    SettingValue target = settings.get(part.text());
                    yield target != null
                            && !chain.contains(part.text())
                            && (++followed > FOLLOWED_MAX || isSecret(part.text(), target));
                }
            };
            if (secret) {
                return true;
            }
        }
        chain.remove(chain.size() - 1);
        return false;
    }

    private String follow(String key, SettingValue setting, String name) throws BadReferenceException {
        SettingValue target = settings.get(name);
        if (target == null) {
            // Spark users leave references for other tools to resolve, as in log.dir=${app.log.dir}.
            return setting.isAlias() ? "${" + name + "}" : refuse(key, setting, notSet(name));
        }
        if (chain.contains(name)) {
            throw circle(name);
        }
        if (++followed > FOLLOWED_MAX) {
            throw bad(key, setting, "at most " + FOLLOWED_MAX + " references for one value");
        }
        return fill(name, target);
    }

    /**
     * Failure for a circular reference. Its message starts with the smallest key of the circle, so that the message is
     * the same whichever of its keys is read first.
     */
    private BadReferenceException circle(String again) {
        List<String> circle = new ArrayList<>(chain.subList(chain.indexOf(again), chain.size()));
        String first = Collections.min(circle);
        Collections.rotate(circle, -circle.indexOf(first));
        circle.add(first);
        return bad(
                first,
                settings.getOrDefault(first, SettingValue.NONE),
                "no circle of references: " + String.join(" -> ", circle));
    }

    private static String notSet(String name) {
        return "a reference to something that is set; " + name + " is not";
    }

    private static String refuse(String key, SettingValue setting, String rule) throws BadReferenceException {
        throw bad(key, setting, rule);
    }

    private static BadReferenceException bad(String key, SettingValue setting, String rule) {
        return new BadReferenceException(
                Problems.line(key, Secrets.shown(key, setting.template().written()), rule, setting.origin()));
    }
}
