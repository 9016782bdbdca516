package dev.hearth.standalone.internal.master;

/**
 * Why an application has no executors. {@code subject} says what the reason is about: reasons with the same subject differ
 * only in details. {@code lasting} says that waiting helps only if the cluster or the request changes. Immutable.
 */
record WaitReason(String subject, String text, boolean lasting) {
    static final WaitReason NONE = new WaitReason("", "", false);

    boolean isNone() {
        return equals(NONE);
    }
}
