package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.settings.Settings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Users and groups who may see or end an application, as YARN writes them: users, a blank, groups. Pure. */
public final class AccessLists {
    private static final String ENABLED = "hearth.acls.enable";
    private static final String ALL = "*";

    private AccessLists() {}

    /** The lists by their names at YARN; {@code owner} is always in them. */
    public static Map<String, String> of(Settings settings, String owner) {
        Map<String, String> lists = new LinkedHashMap<>();
        lists.put("VIEW_APP", list(settings, "hearth.ui.view.acls", owner));
        lists.put("MODIFY_APP", list(settings, "hearth.modify.acls", owner));
        return lists;
    }

    private static String list(Settings settings, String key, String owner) {
        if (settings.find(ENABLED).filter("true"::equals).isEmpty()) {
            return ALL; // as in Spark, where the lists count only when they are enabled
        }
        Set<String> users = new LinkedHashSet<>(List.of(owner));
        users.addAll(words(settings, "hearth.admin.acls"));
        users.addAll(words(settings, key));
        Set<String> groups = new LinkedHashSet<>(words(settings, "hearth.admin.acls.groups"));
        groups.addAll(words(settings, key + ".groups"));
        return users.contains(ALL) || groups.contains(ALL)
                ? ALL
                : (String.join(",", users) + " " + String.join(",", groups));
    }

    private static Set<String> words(Settings settings, String key) {
        Set<String> words = new LinkedHashSet<>();
        for (String word : settings.find(key).orElse("").split(",", -1)) {
            if (!word.isBlank()) {
                words.add(word.strip());
            }
        }
        return words;
    }
}
