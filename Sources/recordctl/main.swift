print("recordctl")
